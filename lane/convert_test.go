package lane

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLanesOfOtherItemsDoNotConvert(t *testing.T) {
	for from, to := range map[reflect.Type]reflect.Type{
		reflect.TypeFor[Lanes[int]](): reflect.TypeFor[Lanes[uintptr]](),
		reflect.TypeFor[Lane[int]]():  reflect.TypeFor[Lane[uintptr]](),
		reflect.TypeFor[Items[int]](): reflect.TypeFor[Items[uintptr]](),
	} {
		require.False(t, from.ConvertibleTo(to), from)
		require.True(t, from.ConvertibleTo(from), from)
	}
}
