package hashmap_test

import (
	"fmt"
	"strconv"

	"example.com/custody/hashmap"
	"example.com/custody/safety"
)

// How full a map is, and what its tables cost.
func ExampleMap_Stats() {
	m := hashmap.New[string, int](safety.Named("squares"))
	m.Grow(1000)
	for i := range 1000 {
		m.Store(strconv.Itoa(i), i*i)
	}
	s := m.Stats()
	fmt.Println(m)
	fmt.Println(s.Len, s.Len <= s.Room, s.Bytes >= 8*s.Places, s.Tables)
	// Output:
	// hashmap.Map[string,int] "squares": 1000 keys
	// 1000 true true 1
}

// How many values there are of how many keys, and what the places of the keys cost.
func ExampleMultiMap_Stats() {
	m := hashmap.NewMulti[string, int](safety.Named("by last digit"))
	for i := range 1000 {
		m.Add(strconv.Itoa(i%10), i)
	}
	s := m.Stats()
	fmt.Println(m)
	fmt.Println(s.Len, s.Keys, s.Keys <= s.Places, s.Bytes >= 8*s.Places)
	// Output:
	// hashmap.MultiMap[string,int] "by last digit": 1000 values of 10 keys
	// 1000 10 true true
}
