//go:build custody_explore

package atom_test

import (
	"reflect"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
)

// What compiles with the types of the standard library also compiles with those of explored builds.
func TestTypesHaveTheMethodsOfTheStandardOnes(t *testing.T) {
	for standard, ours := range map[any]any{
		new(atomic.Bool): new(atom.Bool), new(atomic.Int32): new(atom.Int32), new(atomic.Int64): new(atom.Int64),
		new(atomic.Uint32): new(atom.Uint32), new(atomic.Uint64): new(atom.Uint64), new(atomic.Pointer[int]): new(atom.Pointer[int]),
		new(sync.Mutex): new(atom.Mutex), new(sync.RWMutex): new(atom.RWMutex), new(sync.WaitGroup): new(atom.WaitGroup),
		new(sync.Cond): new(atom.Cond), new(sync.Once): new(atom.Once),
	} {
		of := reflect.TypeOf(ours)
		for m := range reflect.TypeOf(standard).Methods() {
			_, ok := of.MethodByName(m.Name)
			require.True(t, ok, "%v has no %s", of, m.Name)
		}
	}
}
