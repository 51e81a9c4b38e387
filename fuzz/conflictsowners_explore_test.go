//go:build custody_explore && !race

package fuzz_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"example.com/custody/array"
	"example.com/custody/internal/spec"
	"example.com/custody/table"
)

// ofOwners are the containers whose owner may read them on several goroutines.
func ofOwners(t *testing.T) []meeting {
	return slices.Concat(arraySubject().meetings(t), partsSubject().meetings(t), doubleSubject().meetings(t), doubleListSubject().meetings(t), listSubject().meetings(t),
		streamSubject().meetings(t), valueSubject().meetings(t), tableSubject().meetings(t))
}

// read returns roles: reader for the named operations, and owner for those that change a container.
func read(names ...string) map[string]role {
	roles := map[string]role{"Dispose": owner, "Swap": owner, "Store": owner}
	for _, name := range names {
		roles[name] = reader
	}
	return roles
}

func arraySubject() *subject[*array.Array[int]] {
	type C = *array.Array[int]
	return &subject[C]{name: "Array", states: map[string]func() C{"64 elements": func() C { return array.New[int](64) }}, ops: []operation[C]{
		{"At", func(a C) any { return a.At(1) }},
		{"All", func(a C) any { return maps.Collect(a.All()) }},
		{"CopyTo", func(a C) any { dst := make([]int, 64); a.CopyTo(dst); return dst }},
		{"Len", func(a C) any { return a.Len() }},
		{"Reader", func(a C) any { a.Reader(); return nil }},
		disposed[C](),
		{"Disposed", func(a C) any { return a.Disposed() }},
		{"String", func(a C) any { return a.String() }},
	}, roles: read("At", "All", "CopyTo"), dump: func(a C) string { return fmt.Sprint(maps.Collect(a.All())) }}
}

// part is the part of an array that a goroutine uses as its owner.
type part struct {
	whole       *array.Parts[int]
	own, others *array.Array[int]
}

func partsSubject() *subject[part] {
	type C = part
	return &subject[C]{name: "Parts", states: map[string]func() C{"2 of 64 elements": func() C {
		p := array.New[int](64).Split(2)
		return part{p, p.Part(0), p.Part(1)}
	}}, ops: []operation[C]{
		{"At of a part", func(p C) any { return p.own.At(1) }},
		{"Set of a part", func(p C) any { p.own.Set(1, 7); return nil }},
		{"Clear of a part", func(p C) any { p.own.Clear(); return nil }},
		{"Slice of a part", func(p C) any { return p.own.Slice() }},
		{"Len", func(p C) any { return p.whole.Len() }},
		{"Part", func(p C) any { return p.whole.Part(0).Len() }},
		{"Range", func(p C) any { return both(p.whole.Range(0)) }},
	}, dump: func(p C) string { return fmt.Sprint(p.whole.Part(0).Slice(), p.whole.Part(1).Slice()) },
		other: func(p C) C { return part{p.whole, p.others, p.own} }}
}

func doubleSubject() *subject[*array.Double[int]] {
	type C = *array.Double[int]
	return &subject[C]{name: "Double", states: map[string]func() C{"64 elements": func() C { return array.NewDouble[int](64) }}, ops: []operation[C]{
		{"Front", func(d C) any { return d.Front().At(1) }},
		{"Back", func(d C) any { return d.Back().At(1) }},
		{"Swap", func(d C) any { d.Swap(); return nil }},
		{"String of the front", func(d C) any { return d.Front().String() }},
		disposed[C](),
	}, roles: read("Front", "Back", "String of the front"), dump: func(d C) string { return fmt.Sprint(d.Front().Slice(), d.Back().Slice()) }}
}

func doubleListSubject() *subject[*array.DoubleList[int]] {
	type C = *array.DoubleList[int]
	return &subject[C]{name: "DoubleList", states: map[string]func() C{"3 elements": func() C {
		d := array.NewDoubleList[int]()
		d.Front().AppendAll([]int{1, 2, 3})
		return d
	}}, ops: []operation[C]{
		{"Front", func(d C) any { return d.Front().At(1) }},
		{"Back", func(d C) any { return d.Back().Len() }},
		{"Swap", func(d C) any { d.Swap(); return nil }},
		{"String of the front", func(d C) any { return d.Front().String() }},
		disposed[C](),
	}, roles: read("Front", "Back", "String of the front"), dump: func(d C) string { return fmt.Sprint(d.Front().Slice(), d.Back().Slice()) }}
}

func listSubject() *subject[*array.List[int]] {
	type C = *array.List[int]
	return &subject[C]{name: "List", states: map[string]func() C{"64 elements": func() C { return array.ListOf(make([]int, 64)) }}, ops: []operation[C]{
		{"At", func(l C) any { return l.At(1) }},
		{"All", func(l C) any { return maps.Collect(l.All()) }},
		{"CopyTo", func(l C) any { dst := make([]int, 64); l.CopyTo(dst); return dst }},
		{"Len", func(l C) any { return l.Len() }},
		{"Cap", func(l C) any { return l.Cap() }},
		{"Stats", func(l C) any { return l.Stats() }},
		disposed[C](),
		{"Disposed", func(l C) any { return l.Disposed() }},
		{"String", func(l C) any { return l.String() }},
	}, roles: read("At", "All", "CopyTo", "Len", "Cap", "Stats"), dump: func(l C) string { return fmt.Sprint(maps.Collect(l.All())) }}
}

func streamSubject() *subject[*array.Stream[int]] {
	type C = *array.Stream[int]
	return &subject[C]{name: "Stream", states: map[string]func() C{"3 rows": func() C { return array.StreamOf([][]int{{1, 2}, nil, {3}}) }}, ops: []operation[C]{
		{"Count", func(s C) any { return s.Count(0) }},
		{"All", func(s C) any { return maps.Collect(s.All()) }},
		{"Len", func(s C) any { return s.Len() }},
		{"Total", func(s C) any { return s.Total() }},
		{"Offsets", func(s C) any { return s.Offsets() }},
		{"Stats", func(s C) any { return s.Stats() }},
		disposed[C](),
		{"Disposed", func(s C) any { return s.Disposed() }},
		{"String", func(s C) any { return s.String() }},
	}, roles: read("Count", "All", "Len", "Total", "Offsets", "Stats"), dump: func(s C) string { return fmt.Sprint(maps.Collect(s.All())) }}
}

func valueSubject() *subject[*array.Value[int]] {
	type C = *array.Value[int]
	return &subject[C]{name: "Value", states: map[string]func() C{"5": func() C { return array.NewValue(5) }}, ops: []operation[C]{
		{"Load", func(x C) any { return x.Load() }},
		{"Store", func(x C) any { x.Store(7); return nil }},
		disposed[C](),
		{"Disposed", func(x C) any { return x.Disposed() }},
		{"String", func(x C) any { return x.String() }},
	}, roles: read("Load"), dump: func(x C) string { return fmt.Sprint(x.Load()) }, model: specified(spec.Register(),
		func(x C) []spec.RegisterIn { return []spec.RegisterIn{{Op: spec.Store, Value: x.Load()}} },
		func(_ C, name string, answer any) (in spec.RegisterIn, out spec.RegisterOut, ok bool) {
			v, _ := answer.(int)
			return map[string]spec.RegisterIn{"Load": {Op: spec.Load}, "Store": {Op: spec.Store, Value: 7}}[name], spec.RegisterOut{Value: v}, name == "Load" || name == "Store"
		})}
}

// point3 is a row.
type point3 struct {
	Name    int
	X, Y, Z float64
}

// points are a table with a column, a key and some rows.
type points struct {
	*table.Table[point3]
	x   *table.Column[float64]
	y   *table.DoubleColumn[float64]
	key *table.Key[int]
	ids []table.ID
}

func tableSubject() *subject[points] {
	type C = points
	with := func(staged bool) func() C {
		return func() C {
			p := points{Table: table.New[point3]()}
			p.key = table.KeyOf(p.Table, func(r *point3) *int { return &r.Name })
			p.x = table.ColumnOf(p.Table, func(r *point3) *float64 { return &r.X })
			p.y = table.DoubleOf(p.Table, func(r *point3) *float64 { return &r.Y })
			for i := range 20 {
				p.ids = append(p.ids, p.Add(point3{Name: i, X: float64(i)}))
			}
			p.Apply()
			if staged {
				p.Add(point3{Name: 50})
				p.Remove(p.ids[9])
			}
			return p
		}
	}
	return &subject[C]{name: "Table", states: map[string]func() C{"20 rows": with(false), "changes staged": with(true)}, ops: []operation[C]{
		{"Add", func(p C) any { p.Add(point3{Name: 100}); return nil }},
		{"AddAll", func(p C) any { p.AddAll([]point3{{Name: 101}, {Name: 102}}, nil); return nil }},
		{"Remove", func(p C) any { p.Remove(p.ids[1]); return nil }},
		{"Remove of another row", func(p C) any { p.Remove(p.ids[2]); return nil }},
		{"Key.Remove", func(p C) any { p.key.Remove(3); return nil }},
		{"Apply", func(p C) any { return len(p.Apply().Problems) }},
		{"Set", func(p C) any { return p.Set(p.ids[4], point3{Name: 4, X: 9}) }},
		{"Column.Set", func(p C) any { p.x.Set(4, 9); return nil }},
		{"Len", func(p C) any { return p.Len() }},
		{"Count", func(p C) any { return p.Count() }},
		{"RowOf", func(p C) any { return both(p.RowOf(p.ids[5])) }},
		{"ID", func(p C) any { return p.ID(5) == p.ids[5] }},
		{"Get", func(p C) any { return both(p.Get(p.ids[5])) }},
		{"All", func(p C) any {
			n := 0.0
			for _, r := range p.All() {
				n += r.X
			}
			return n
		}},
		{"Column.At", func(p C) any { return p.x.At(5) }},
		{"Column.Len", func(p C) any { return p.x.Len() }},
		{"Column.All", func(p C) any { return maps.Collect(p.x.All()) }},
		{"DoubleColumn.Front", func(p C) any { return p.y.Front().At(5) }},
		{"DoubleColumn.Back", func(p C) any { return p.y.Back().At(5) }},
		{"DoubleColumn.Swap", func(p C) any { p.y.Swap(); return nil }},
		{"Key.Find", func(p C) any { id, ok := p.key.Find(5); return both(id == p.ids[5], ok) }},
		{"Key.RowOf", func(p C) any { return both(p.key.RowOf(5)) }},
		{"Key.At", func(p C) any { return p.key.At(5) }},
		{"Stats", func(p C) any { return p.Stats().Rows }},
		disposed[C](),
		{"Disposed", func(p C) any { return p.Disposed() }},
		{"String", func(p C) any { return p.String() }},
	}, roles: func() map[string]role {
		roles := read("Len", "Count", "RowOf", "ID", "Get", "All", "Column.At", "Column.Len", "Column.All", "DoubleColumn.Front", "DoubleColumn.Back", "Key.Find", "Key.RowOf", "Key.At", "Stats")
		roles["Apply"], roles["Set"], roles["Column.Set"], roles["DoubleColumn.Swap"] = owner, owner, owner, owner
		return roles
	}(), dump: func(p C) string {
		p.Apply()
		var all []point3
		for _, r := range p.All() {
			all = append(all, r)
		}
		return fmt.Sprint(all)
	}}
}
