package hashmap

// origins are the computations within which a job with a [Shared] view was scheduled. They may wait
// for the job. So its bodies must not change a key that one of them computes, on any worker, nor
// wait for a computation that waits for one of them. A job whose view comes from the view of
// another job has the origins of both.
type origins struct {
	numbers []uint32
	keys    []ref // that these compute; bodies change none of them, also after that has ended
}

// originsOf returns the origins of a job that is scheduled now, or nil if it has none. others are
// those of the view that the job's view comes from, or nil.
func originsOf(m *core, others *origins) *origins {
	mine := computing()
	if len(mine) == 0 {
		return others
	}
	o := &origins{numbers: mine, keys: m.computed(mine)}
	if others != nil {
		o.numbers = append(o.numbers, others.numbers...)
		o.keys = append(o.keys, others.keys...)
	}
	return o
}

// run runs f, which may change k, for a body of the job. It panics with a violation if k is a key
// of an origin.
func (o *origins) run(m *core, k ref, f func()) {
	for _, x := range o.keys {
		if m.same(x, k) {
			panic(m.cycle())
		}
	}
	under(o.numbers, f)
}

// change runs f as run does, with copies of k and, if it is not nil, v. It returns what f returns.
func (o *origins) change(m *core, k, v ref, f func(k, v ref, in *room) ref) (r ref) {
	k = m.box(k, nil).key()
	if v != nil {
		v = m.keep(v)
	}
	o.run(m, k, func() { r = f(k, v, new(room)) })
	return r
}
