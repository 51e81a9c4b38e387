package table_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// copyOf returns a copy of the struct that p points to, which go vet does not see.
func copyOf[T any](p *T) *T {
	c := new(T)
	reflect.ValueOf(c).Elem().Set(reflect.ValueOf(p).Elem())
	return c
}

// Uses of a copy of a table, or of what belongs to a table, are refused. Only accesses of a few
// nanoseconds do not look.
func TestCopiesOfTables(t *testing.T) {
	lawtest.CheckedOnly(t)
	for name, use := range map[string]func(w *house){
		"Add":           func(w *house) { copyOf(w.t).Add(lodger{}) },
		"AddAll":        func(w *house) { copyOf(w.t).AddAll(nil, nil) },
		"Remove":        func(w *house) { copyOf(w.t).Remove(table.ID{}) },
		"Apply":         func(w *house) { copyOf(w.t).Apply() },
		"Dispose":       func(w *house) { copyOf(w.t).Dispose() },
		"Sweep":         func(w *house) { copyOf(w.t).Sweep(nil) },
		"Tag":           func(w *house) { copyOf(w.t).Tag(w.tag) },
		"Untag":         func(w *house) { copyOf(w.t).Untag(w.tag) },
		"Tagged":        func(w *house) { copyOf(w.t).Tagged(w.tag) },
		"Get":           func(w *house) { copyOf(w.t).Get(w.id()) },
		"Set":           func(w *house) { copyOf(w.t).Set(w.id(), lodger{}) },
		"RowOf":         func(w *house) { copyOf(w.t).RowOf(w.id()) },
		"All":           func(w *house) { each2(copyOf(w.t).All()) },
		"Stats":         func(w *house) { copyOf(w.t).Stats() },
		"ColumnOf":      func(w *house) { table.ColumnOf(copyOf(w.t), func(r *lodger) *int { return &r.X }) },
		"DoubleOf":      func(w *house) { table.DoubleOf(copyOf(w.t), func(r *lodger) *int { return &r.X }) },
		"KeyOf":         func(w *house) { table.KeyOf(copyOf(w.t), func(r *lodger) *int { return &r.X }) },
		"Transfer from": func(w *house) { table.Transfer(copyOf(w.t), w.id(), w.o.t) },
		"Transfer to":   func(w *house) { table.Transfer(w.t, w.id(), copyOf(w.o.t)) },
		"For":           func(w *house) { table.For(copyOf(w.t).Rows(), viewing{X: w.x.Reader()}, (*viewing).Execute) },
		"Schedule": func(w *house) {
			table.Schedule(copyOf(w.t).Rows(), viewing{X: w.x.Reader()}, (*viewing).Execute).Complete()
		},
		"Lookup": func(w *house) { operations["Lookup.RowOf"](&house{t: copyOf(w.t)}) },
		"a call that runs": func(w *house) {
			w.t.Sweep(func(int) bool { copyOf(w.t).Apply(); return true })
			w.t.Apply()
		},
		"a pipeline":    func(w *house) { copyOf(w.p).Step() },
		"Start":         func(w *house) { copyOf(w.p).Start() },
		"Close":         func(w *house) { copyOf(w.p).Close() },
		"Finish":        func(w *house) { w.p.Start(); defer w.p.Finish(); copyOf(w.p).Finish() },
		"a Key":         func(w *house) { copyOf(w.k).Remove(1) },
		"Find":          func(w *house) { copyOf(w.k).Find(1) },
		"a column":      func(w *house) { copyOf(w.x).Set(0, 1) },
		"its elements":  func(w *house) { copyOf(w.x).Slice() },
		"its Reader":    func(w *house) { copyOf(w.x).Reader() },
		"its Writer":    func(w *house) { copyOf(w.x).Writer() },
		"changes of it": func(w *house) { table.NewChanges(copyOf(w.x)) },
		"two buffers":   func(w *house) { copyOf(w.d).Front().Set(0, 1) },
		"their Swap":    func(w *house) { copyOf(w.d).Swap() },
		"their Writer":  func(w *house) { copyOf(w.d).Back().Writer() },
		"a Changes": func(w *house) {
			table.For(w.t.Rows().Changed(copyOf(w.c)), viewing{X: w.x.Reader()}, (*viewing).Execute)
		},
		"Forget": func(w *house) { copyOf(w.c).Forget() },
	} {
		w := newHouse(false)
		v := arraylaw.Breaks(t, safety.ErrCopied, func() { use(w) }, name)
		require.NotEmpty(t, v.Container, name)
		require.NotEmpty(t, v.Made, name)
		w.end(t)
	}
}

func TestEveryMethodOfACopyReportsIt(t *testing.T) {
	fixed, inlined := "it never changes", "it is inlined into loops, and the copy has the same elements"
	silent := map[string]string{
		"Chunk": fixed, "Name": fixed,
		"Rows": "a loop over them reports it",
		"Cap":  "tests call it", "Limit": "tests call it", "Most": "tests call it", "NamesCap": "tests call it",
	}
	w := newHouse(false)
	places := table.New[lodger](table.Fixed(3))
	args := map[string][]any{"Tag": {w.tag}, "Untag": {w.tag}, "Tagged": {w.tag}}
	for _, c := range []any{w.t, places, w.k, w.c, w.p} {
		lawtest.Copies(t, c, args, methodsIn(c, silent))
	}
	for _, name := range []string{"All", "At", "Len"} {
		silent[name] = inlined
	}
	silent["Front"], silent["Back"] = "the methods of what it returns report the copy", "as Front"
	for _, c := range []any{w.x, w.d, w.d.Back()} {
		lawtest.Copies(t, c, args, methodsIn(c, silent))
	}
	w.end(t)
}

// methodsIn returns the part of silent that names methods of the type of container.
func methodsIn(container any, silent map[string]string) map[string]string {
	some := map[string]string{}
	for m := range reflect.TypeOf(container).Methods() {
		if why := silent[m.Name]; why != "" {
			some[m.Name] = why
		}
	}
	return some
}
