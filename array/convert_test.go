package array_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
)

// Containers and views do not convert to those of other elements, which would read the memory of
// these as theirs.
func TestTypesOfOtherElementsDoNotConvert(t *testing.T) {
	types := [][]reflect.Type{typesOf[int](), typesOf[uintptr](), typesOf[string]()}
	for i, some := range types {
		for j, others := range types {
			for k := range some {
				require.Equal(t, i == j, some[k].ConvertibleTo(others[k]), "%v to %v", some[k], others[k])
			}
		}
	}
}

func typesOf[T any]() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[array.Array[T]](), reflect.TypeFor[array.Reader[T]](), reflect.TypeFor[array.Writer[T]](),
		reflect.TypeFor[array.OffsetWriter[T]](), reflect.TypeFor[array.List[T]](), reflect.TypeFor[array.ParallelWriter[T]](),
		reflect.TypeFor[array.Stream[T]](), reflect.TypeFor[array.StreamReader[T]](), reflect.TypeFor[array.StreamWriter[T]](),
		reflect.TypeFor[array.StreamParallelWriter[T]](), reflect.TypeFor[array.StreamKeyedWriter[T]](), reflect.TypeFor[array.StreamRow[T]](),
		reflect.TypeFor[array.Value[T]](), reflect.TypeFor[array.ValueWriter[T]](), reflect.TypeFor[array.ValueReader[T]](), reflect.TypeFor[array.Double[T]](),
		reflect.TypeFor[array.DoubleList[T]](), reflect.TypeFor[array.Parts[T]](), reflect.TypeFor[array.PermutedWriter[T]]()}
}
