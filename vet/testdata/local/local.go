package local

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

type double struct {
	In  array.Reader[int]
	Out array.Writer[int]
}

func (d *double) ExecuteBatch(begin, end int) {
	in, out := d.In.Slice(), d.Out.Slice()
	for k := range out {
		out[k] = 2 * in[k] // want `k is a position in the batch that d.Out.Slice\(\) has, and d.In.Slice\(\) has all elements: index d.In.Slice\(\)\[begin:end\]`
	}
	for k := range len(d.Out.Slice()) {
		out[k] += d.In.Slice()[k] // want `k is a position`
		out[k] += (in)[(k)]       // want `k is a position`
		out[k] += in[begin+k]
	}
	var all = d.In.Slice()
	for k, v := range out {
		out[k] = v + all[k] // want `k is a position`
	}
}

func functions(in *array.Array[int], out *array.Array[int]) {
	parallelfor.ForBatch(in.Len(), double{in.Reader(), out.Writer()}, func(d *double, begin, end int) {
		in := d.In.Slice()
		for k := range d.Out.Slice() {
			_ = in[k] // want `k is a position`
		}
	})
	parallelfor.Do(double{in.Reader(), out.Writer()}, func(d *double) { // one batch has all
		in := d.In.Slice()
		for k := range d.Out.Slice() {
			_ = in[k]
		}
	})
}

func (d *double) legal(begin, end int) {
	in, out := d.In.Slice()[begin:end], d.Out.Slice()
	for k := range out {
		out[k] = 2 * in[k]
	}
	all := d.In.Slice()
	for i := begin; i < end; i++ {
		d.Out.Set(i, all[i])
	}
	for k := range all[begin:end] {
		out[k] = all[begin+k]
	}
	some := d.In.Slice()
	some = some[begin:end]
	for k := range out {
		out[k] = some[k]
		for k := range all {
			_ = all[k]
		}
	}
	for range out {
	}
	for _, f := range []func() []int{d.In.Slice} {
		_ = f()[0]
	}
}
