package elem

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

func slotsOf[T any](s []T) Slots { return Slots{Data(s), len(s), cap(s)} }

func fieldFound[R, T any](of func(*R) *T) (Field, string) {
	s := SourceOf(of)
	return s.Find(TypeOf[R]())
}

func copiesOf[R, T any](t *testing.T, from []R, of func(*R) *T) []T {
	s := SourceOf(of)
	f, missing := s.Find(TypeOf[R]())
	require.Empty(t, missing)
	to := make([]T, len(from))
	if len(from) > 0 {
		s.Set(slotsOf(to), 0, nil, len(to), f.Of(Pointer(&from[0])), unsafe.Sizeof(from[0]))
	}
	for i := range from {
		require.Equal(t, *of(&from[i]), *(*T)(f.Of(Pointer(&from[i]))))
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
	_, missing := fieldFound(func(*fieldRow) *int { return &far })
	require.Contains(t, missing, "no pointer into a zero row")
	_, missing = fieldFound(func(*fieldRow) *int { return nil })
	require.Contains(t, missing, "nil")
	_, missing = fieldFound(func(r *fieldRow) *fieldRow { return (*fieldRow)(unsafe.Pointer(&r.b)) })
	require.Contains(t, missing, "no pointer into a zero row")
	_, missing = fieldFound(func(r *struct{}) *struct{} { return r })
	require.Empty(t, missing)
}

func TestCopyingFieldsAllocatesNothing(t *testing.T) {
	all, to := fieldRows(100), make([]string, 100)
	f, _ := fieldFound(func(r *fieldRow) *string { return &r.b })
	s := SourceOf(func(r *fieldRow) *string { return &r.b })
	require.Zero(t, testing.AllocsPerRun(10, func() {
		s.Set(slotsOf(to), 0, nil, len(to), f.Of(Pointer(&all[0])), unsafe.Sizeof(all[0]))
	}))
}

// Fields overlap that have a byte in common.
func TestFieldsOverlap(t *testing.T) {
	fieldsOf := map[string]Field{}
	whole, _ := fieldFound(func(r *fieldRow) *fieldRow { return r })
	b, _ := fieldFound(func(r *fieldRow) *string { return &r.b })
	c, _ := fieldFound(func(r *fieldRow) *[3]int { return &r.c })
	last, _ := fieldFound(func(r *fieldRow) *int { return &r.c[2] })
	nothing, _ := fieldFound(func(r *fieldRow) *struct{} { return &r.d })
	fieldsOf["whole"], fieldsOf["b"], fieldsOf["c"] = whole, b, c
	fieldsOf["last"], fieldsOf["nothing"] = last, nothing
	overlap := map[[2]string]bool{{"whole", "b"}: true, {"whole", "c"}: true, {"whole", "last"}: true, {"c", "last"}: true}
	for x, bytes := range fieldsOf {
		for y, others := range fieldsOf {
			want := overlap[[2]string{x, y}] || overlap[[2]string{y, x}] || x == y && x != "nothing"
			require.Equal(t, want, bytes.Overlaps(others), x+" "+y)
		}
	}
}
