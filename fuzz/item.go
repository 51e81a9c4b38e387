package fuzz

import (
	"strconv"
)

// Item is an element of the containers under test. Elements are pointers, so that a suite can tell
// which one came back, and whether the container releases it.
type Item struct {
	// ID is the number of the item. The suite sets it; the container must not use it.
	ID int

	_ *byte // a pointer word, without which the allocator could put two items into one block
}

// String returns the item's number after a #, or nil for nil.
func (x *Item) String() string {
	if x == nil {
		return "nil"
	}
	return "#" + strconv.Itoa(x.ID)
}

// minting makes items with rising numbers. It is part of a model: two runs of one program make the
// same items.
type minting struct{ made int }

// item returns a new item, for some operands nil or a zero item. Containers must not take these for
// a missing value.
func (m *minting) item(x int) *Item {
	switch x % 16 {
	case 14:
		return nil
	case 15:
		return new(Item)
	}
	m.made++
	return &Item{ID: m.made}
}

// items returns n new items.
func (m *minting) items(n int) []*Item {
	xs := make([]*Item, n)
	for i := range xs {
		m.made++
		xs[i] = &Item{ID: m.made}
	}
	return xs
}
