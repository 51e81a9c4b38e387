package table

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTypesOfOtherRowsDoNotConvert(t *testing.T) {
	for from, to := range map[reflect.Type]reflect.Type{
		reflect.TypeFor[Table[int]]():        reflect.TypeFor[Table[uintptr]](),
		reflect.TypeFor[Stager[int]]():       reflect.TypeFor[Stager[uintptr]](),
		reflect.TypeFor[Column[int]]():       reflect.TypeFor[Column[uintptr]](),
		reflect.TypeFor[DoubleColumn[int]](): reflect.TypeFor[DoubleColumn[uintptr]](),
		reflect.TypeFor[Key[int]]():          reflect.TypeFor[Key[uintptr]](),
	} {
		require.False(t, from.ConvertibleTo(to), from)
	}
}
