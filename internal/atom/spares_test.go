package atom_test

import (
	"sync"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
)

func TestSparesAreTakenOnce(t *testing.T) {
	var s atom.Spares[int]
	require.Nil(t, s.Take())
	v, kept := new(int), 0
	for range 100 { // the detector's builds keep nothing, and others may forget
		s.Give(v)
		if w := s.Take(); w != nil {
			require.Same(t, v, w)
			kept++
		}
		require.Nil(t, s.Take())
	}
	require.Equal(t, atom.Race, kept == 0, kept)
}

// The first Gives of several goroutines make one memory: none of the values is another's, nor lost
// where every value is kept.
func TestFirstGivesMeet(t *testing.T) {
	for range 500 {
		var s atom.Spares[int]
		var values [4]int
		var all sync.WaitGroup
		for i := range values {
			all.Go(func() { s.Give(&values[i]) })
		}
		all.Wait()
		taken := map[*int]bool{}
		for v := s.Take(); v != nil; v = s.Take() {
			require.False(t, taken[v])
			taken[v] = true
		}
		if atom.Explored {
			require.Equal(t, !atom.Race, len(taken) == len(values))
		}
	}
}

// A value that is kept lasts for some collections after it was given, and less in a program that
// waits.
func TestKeptValuesLast(t *testing.T) {
	if atom.Race {
		t.Skip("nothing is kept")
	}
	var s atom.Spares[int]
	var values [3]int
	at := time.Now()
	age := func(times int, wait time.Duration) (some bool) {
		for range times {
			at = at.Add(wait)
			some = s.Age(at)
		}
		return some
	}
	atom.Keep(&s, &values[0])
	s.SetAged(at)
	require.True(t, age(atom.Lasting-1, time.Second))
	atom.Keep(&s, &values[1])
	require.True(t, age(1, time.Minute))
	require.Equal(t, 2, s.Kept())
	require.True(t, age(1, time.Second))
	require.Equal(t, 1, s.Kept())
	require.Same(t, &values[1], s.Take())
	require.Nil(t, s.Take())
	require.False(t, age(1, time.Second))
	atom.Keep(&s, &values[2])
	s.SetAged(at)
	require.False(t, age(1, time.Minute+1))
	require.Nil(t, s.Take())
}

// Values that are kept go when collections have passed, and with their Spares.
func TestKeptValuesGo(t *testing.T) {
	if atom.Race || atom.Explored {
		t.Skip("nothing, or everything, is kept")
	}
	value := func(s *atom.Spares[[64]byte]) weak.Pointer[[64]byte] {
		v := new([64]byte)
		atom.Keep(s, v)
		return weak.Make(v)
	}
	s := new(atom.Spares[[64]byte])
	first := value(s)
	lawtest.Collected(t, first)
	require.Nil(t, s.Take())
	again := value(s)
	lawtest.Collected(t, again)
	require.Zero(t, s.Kept())
	lawtest.Collected(t, value(new(atom.Spares[[64]byte])))
}
