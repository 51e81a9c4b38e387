package hashmap

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// Maps, multimaps and their views do not convert to those of other keys or values, which would read
// the memory of these as theirs.
func TestTypesOfOtherKeysAndValuesDoNotConvert(t *testing.T) {
	types := [][]reflect.Type{typesOf[int, int](), typesOf[int, uintptr](), typesOf[string, int]()}
	for i, some := range types {
		for j, others := range types {
			for k := range some {
				require.Equal(t, i == j, some[k].ConvertibleTo(others[k]), "%v to %v", some[k], others[k])
			}
		}
	}
}

func typesOf[K comparable, V any]() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[Map[K, V]](), reflect.TypeFor[Reader[K, V]](), reflect.TypeFor[Writer[K, V]](), reflect.TypeFor[ParallelWriter[K, V]](),
		reflect.TypeFor[ParallelMerger[K, V]](), reflect.TypeFor[Shared[K, V]](), reflect.TypeFor[MultiMap[K, V]](), reflect.TypeFor[MultiReader[K, V]](),
		reflect.TypeFor[MultiWriter[K, V]](), reflect.TypeFor[MultiParallelWriter[K, V]](), reflect.TypeFor[MultiShared[K, V]]()}
}
