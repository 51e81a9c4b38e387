package parallelfor_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// A Hold that is a field with a name makes no view.
func TestAHoldThatIsNotEmbeddedIsRefused(t *testing.T) {
	advisedType(t, reflect.TypeFor[struct{ hold safety.Hold }](), "hold", "Embed the Hold in the type of the view")
	advisedType(t, reflect.TypeFor[struct{ A struct{ hold safety.Hold } }](), "A.hold", "Embed the Hold in the type of the view")
}

// viewPart has the Hold of a view that is made of parts.
type viewPart struct{ safety.Hold }

// untaggedView lacks the tag of its part.
type untaggedView struct{ viewPart }

func (*untaggedView) Claim(*safety.Claim) {}

// ownReader has the fields of a view and not its methods.
type ownReader array.ValueReader[int]

func TestViewsThatAreNoneAreRefused(t *testing.T) {
	advisedType(t, reflect.TypeFor[struct{ A untaggedView }](), "A", "Tag the embedded struct that has the Hold")
	p := array.NewValue(3).Reader()
	v := violation(t, safety.ErrField, func() { parallelfor.For(1, struct{ A ownReader }{ownReader(p)}, nothing) })
	require.Equal(t, "A", v.Field)
}

// inlined is a job whose fields are those of the view that it embeds.
type inlined struct {
	array.Writer[int] `custody:"inline"`
}

func TestAJobThatEmbedsAViewInline(t *testing.T) {
	a := array.New[int](3)
	parallelfor.For(3, inlined{a.Writer()}, func(j *inlined, i int) { j.Set(i, i) })
	require.Equal(t, []int{0, 1, 2}, a.Slice())
}

// twoKinds is a view of which some are made with a kind, and some without.
type twoKinds struct {
	safety.Hold
	by string
}

func (v *twoKinds) Bind(b safety.Binding) {
	v.Hold.Bind(b)
	v.by = "the view"
}

type twoKindsKind twoKinds

func (*twoKindsKind) Of(view any, _ *safety.Hold) safety.Binder {
	return (*twoKindsKind)(view.(*twoKinds))
}

func (v *twoKindsKind) Bind(b safety.Binding) {
	v.Hold.Bind(b)
	v.by = "its kind"
}

// A worker's copy is bound by the kind of the present job's view, whatever the job before had.
func TestTheKindOfAViewIsThatOfItsHold(t *testing.T) {
	g := new(safety.Guard)
	g.Init(g, 0)
	for _, kind := range []safety.ViewKind{nil, (*twoKindsKind)(nil), nil, (*twoKindsKind)(nil)} {
		want := "the view"
		if kind != nil {
			want = "its kind"
		}
		parallelfor.Do(twoKinds{Hold: g.Hold(safety.Read, kind)}, func(v *twoKinds) { require.Equal(t, want, v.by) })
	}
}
