package field_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/field"
)

type row struct {
	a byte
	b string
	c [3]int
	d struct{}
}

func rows(n int) []row {
	all := make([]row, n)
	for i := range all {
		all[i] = row{a: byte(i), b: string(rune('a' + i)), c: [3]int{i, 2 * i, 3 * i}}
	}
	return all
}

func copies[R, T any](t *testing.T, from []R, of func(*R) *T) []T {
	f, missing := field.New(of)
	require.Empty(t, missing)
	to := make([]T, len(from))
	f.Copy(to, from)
	for i := range from {
		require.Equal(t, *of(&from[i]), *f.Of(&from[i]))
	}
	return to
}

func TestFieldsAreCopied(t *testing.T) {
	all := rows(5)
	require.Equal(t, []byte{0, 1, 2, 3, 4}, copies(t, all, func(r *row) *byte { return &r.a }))
	require.Equal(t, []string{"a", "b", "c", "d", "e"}, copies(t, all, func(r *row) *string { return &r.b }))
	require.Equal(t, []int{0, 3, 6, 9, 12}, copies(t, all, func(r *row) *int { return &r.c[2] }))
	require.Equal(t, all, copies(t, all, func(r *row) *row { return r }))
	require.Len(t, copies(t, all, func(r *row) *struct{} { return &r.d }), 5)
	require.Empty(t, copies(t, all[:0], func(r *row) *string { return &r.b }))
}

// What does not lie in the struct, or not as a whole, is no field.
func TestWhatIsNoField(t *testing.T) {
	far := 7
	_, missing := field.New(func(*row) *int { return &far })
	require.Contains(t, missing, "no pointer into a zero row")
	_, missing = field.New(func(*row) *int { return nil })
	require.Contains(t, missing, "nil")
	_, missing = field.New(func(r *row) *row { return (*row)(unsafe.Pointer(&r.b)) })
	require.Contains(t, missing, "no pointer into a zero row")
	_, missing = field.New(func(r *struct{}) *struct{} { return r })
	require.Empty(t, missing)
}

func TestNothingIsAllocated(t *testing.T) {
	all, to := rows(100), make([]string, 100)
	f, _ := field.New(func(r *row) *string { return &r.b })
	require.Zero(t, testing.AllocsPerRun(10, func() { f.Copy(to, all) }))
}

// Fields overlap that have a byte in common.
func TestFieldsOverlap(t *testing.T) {
	fieldsOf := map[string]field.Bytes{}
	whole, _ := field.New(func(r *row) *row { return r })
	b, _ := field.New(func(r *row) *string { return &r.b })
	c, _ := field.New(func(r *row) *[3]int { return &r.c })
	last, _ := field.New(func(r *row) *int { return &r.c[2] })
	nothing, _ := field.New(func(r *row) *struct{} { return &r.d })
	fieldsOf["whole"], fieldsOf["b"], fieldsOf["c"] = whole.Bytes(), b.Bytes(), c.Bytes()
	fieldsOf["last"], fieldsOf["nothing"] = last.Bytes(), nothing.Bytes()
	overlap := map[[2]string]bool{{"whole", "b"}: true, {"whole", "c"}: true, {"whole", "last"}: true, {"c", "last"}: true}
	for x, bytes := range fieldsOf {
		for y, others := range fieldsOf {
			want := overlap[[2]string{x, y}] || overlap[[2]string{y, x}] || x == y && x != "nothing"
			require.Equal(t, want, bytes.Overlap(others), x+" "+y)
		}
	}
}
