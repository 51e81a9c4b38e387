package table

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

type fieldRow struct {
	a byte
	b string
	c [3]int
	d struct{}
}

func fieldRows(n int) []fieldRow {
	all := make([]fieldRow, n)
	for i := range all {
		all[i] = fieldRow{a: byte(i), b: string(rune('a' + i)), c: [3]int{i, 2 * i, 3 * i}}
	}
	return all
}

func copiesOf[R, T any](t *testing.T, from []R, of func(*R) *T) []T {
	f, missing := findField(locate(of))
	require.Empty(t, missing)
	to := make([]T, len(from))
	putFields[T](slice{p: unsafe.Pointer(unsafe.SliceData(to)), len: len(to)}, 0, nil, refsOf(from), f)
	for i := range from {
		require.Equal(t, *of(&from[i]), *in[T](refOf(&from[i]), f))
	}
	return to
}

func TestFieldsAreCopied(t *testing.T) {
	all := fieldRows(5)
	require.Equal(t, []byte{0, 1, 2, 3, 4}, copiesOf(t, all, func(r *fieldRow) *byte { return &r.a }))
	require.Equal(t, []string{"a", "b", "c", "d", "e"}, copiesOf(t, all, func(r *fieldRow) *string { return &r.b }))
	require.Equal(t, []int{0, 3, 6, 9, 12}, copiesOf(t, all, func(r *fieldRow) *int { return &r.c[2] }))
	require.Equal(t, all, copiesOf(t, all, func(r *fieldRow) *fieldRow { return r }))
	require.Len(t, copiesOf(t, all, func(r *fieldRow) *struct{} { return &r.d }), 5)
	require.Empty(t, copiesOf(t, all[:0], func(r *fieldRow) *string { return &r.b }))
}

// A pointer that does not point to a whole field of the struct is refused.
func TestWhatIsNoField(t *testing.T) {
	far := 7
	_, missing := findField(locate(func(*fieldRow) *int { return &far }))
	require.Contains(t, missing, "no pointer into a zero row")
	_, missing = findField(locate(func(*fieldRow) *int { return nil }))
	require.Contains(t, missing, "nil")
	_, missing = findField(locate(func(r *fieldRow) *fieldRow { return (*fieldRow)(unsafe.Pointer(&r.b)) }))
	require.Contains(t, missing, "no pointer into a zero row")
	_, missing = findField(locate(func(r *struct{}) *struct{} { return r }))
	require.Empty(t, missing)
}

func TestCopyingFieldsAllocatesNothing(t *testing.T) {
	all, to := fieldRows(100), make([]string, 100)
	f, _ := findField(locate(func(r *fieldRow) *string { return &r.b }))
	require.Zero(t, testing.AllocsPerRun(10, func() {
		putFields[string](slice{p: unsafe.Pointer(unsafe.SliceData(to)), len: len(to)}, 0, nil, refsOf(all), f)
	}))
}

// Fields overlap that have a byte in common.
func TestFieldsOverlap(t *testing.T) {
	fieldsOf := map[string]extent{}
	whole, _ := findField(locate(func(r *fieldRow) *fieldRow { return r }))
	b, _ := findField(locate(func(r *fieldRow) *string { return &r.b }))
	c, _ := findField(locate(func(r *fieldRow) *[3]int { return &r.c }))
	last, _ := findField(locate(func(r *fieldRow) *int { return &r.c[2] }))
	nothing, _ := findField(locate(func(r *fieldRow) *struct{} { return &r.d }))
	fieldsOf["whole"], fieldsOf["b"], fieldsOf["c"] = whole, b, c
	fieldsOf["last"], fieldsOf["nothing"] = last, nothing
	overlap := map[[2]string]bool{{"whole", "b"}: true, {"whole", "c"}: true, {"whole", "last"}: true, {"c", "last"}: true}
	for x, bytes := range fieldsOf {
		for y, others := range fieldsOf {
			want := overlap[[2]string{x, y}] || overlap[[2]string{y, x}] || x == y && x != "nothing"
			require.Equal(t, want, bytes.overlaps(others), x+" "+y)
		}
	}
}
