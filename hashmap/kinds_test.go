package hashmap

import (
	"iter"
	"strconv"
)

// subject is a map of numbers.
type subject interface {
	Load(k int) (int, bool)
	Store(k, v int)
	LoadOrStore(k, v int) (int, bool)
	LoadAndDelete(k int) (int, bool)
	Swap(k, v int) (int, bool)
	CompareAndSwap(k, old, new int) bool
	CompareAndDelete(k, old int) bool
	Compute(k int, f func(old int, loaded bool) (int, Op)) (int, bool)
	LoadOrCompute(k int, f func() (v int, cancel bool)) (int, bool)
	All() iter.Seq2[int, int]
	Len() int
	Clear()
	Grow(n int)
	Shrink()
	DeleteFunc(f func(k, v int) bool)
}

// texts is a map whose keys are texts of numbers.
type texts struct{ *Map[string, int] }

func (m texts) Load(k int) (int, bool)           { return m.Map.Load(strconv.Itoa(k)) }
func (m texts) Store(k, v int)                   { m.Map.Store(strconv.Itoa(k), v) }
func (m texts) LoadOrStore(k, v int) (int, bool) { return m.Map.LoadOrStore(strconv.Itoa(k), v) }
func (m texts) LoadAndDelete(k int) (int, bool)  { return m.Map.LoadAndDelete(strconv.Itoa(k)) }
func (m texts) Swap(k, v int) (int, bool)        { return m.Map.Swap(strconv.Itoa(k), v) }
func (m texts) CompareAndSwap(k, old, new int) bool {
	return m.Map.CompareAndSwap(strconv.Itoa(k), old, new)
}
func (m texts) CompareAndDelete(k, old int) bool { return m.Map.CompareAndDelete(strconv.Itoa(k), old) }
func (m texts) Compute(k int, f func(old int, loaded bool) (int, Op)) (int, bool) {
	return m.Map.Compute(strconv.Itoa(k), f)
}
func (m texts) LoadOrCompute(k int, f func() (int, bool)) (int, bool) {
	return m.Map.LoadOrCompute(strconv.Itoa(k), f)
}
func (m texts) All() iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		m.Map.All()(func(k string, v int) bool { return yield(digits(k), v) })
	}
}

func (m texts) DeleteFunc(f func(k, v int) bool) {
	m.Map.DeleteFunc(func(k string, v int) bool { return f(digits(k), v) })
}

// pairs is a map of values that are too large for a word.
type pairs struct{ *Map[int, [3]int] }

func twin(v int) [3]int { return [3]int{v, -v, v} }

func (m pairs) one(v [3]int, ok bool) (int, bool) {
	if v[1] != -v[0] {
		panic("a torn value")
	}
	return v[0], ok
}

func (m pairs) Load(k int) (int, bool)           { return m.one(m.Map.Load(k)) }
func (m pairs) Store(k, v int)                   { m.Map.Store(k, twin(v)) }
func (m pairs) LoadOrStore(k, v int) (int, bool) { return m.one(m.Map.LoadOrStore(k, twin(v))) }
func (m pairs) LoadAndDelete(k int) (int, bool)  { return m.one(m.Map.LoadAndDelete(k)) }
func (m pairs) Swap(k, v int) (int, bool)        { return m.one(m.Map.Swap(k, twin(v))) }
func (m pairs) CompareAndSwap(k, old, new int) bool {
	return m.Map.CompareAndSwap(k, twin(old), twin(new))
}
func (m pairs) CompareAndDelete(k, old int) bool { return m.Map.CompareAndDelete(k, twin(old)) }
func (m pairs) Compute(k int, f func(old int, loaded bool) (int, Op)) (int, bool) {
	return m.one(m.Map.Compute(k, func(old [3]int, loaded bool) ([3]int, Op) {
		v, op := f(old[0], loaded)
		return twin(v), op
	}))
}
func (m pairs) LoadOrCompute(k int, f func() (int, bool)) (int, bool) {
	return m.one(m.Map.LoadOrCompute(k, func() ([3]int, bool) {
		v, cancel := f()
		return twin(v), cancel
	}))
}
func (m pairs) All() iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		m.Map.All()(func(k int, v [3]int) bool {
			first, _ := m.one(v, true)
			return yield(k, first)
		})
	}
}

func (m pairs) DeleteFunc(f func(k, v int) bool) {
	m.Map.DeleteFunc(func(k int, v [3]int) bool { return f(k, v[0]) })
}

// kinds are the kinds of maps, with hashes that meet and with values that are marks as well.
var kinds = []struct {
	name  string
	fresh func(s sizes) subject
}{
	{"words", func(s sizes) subject { return initialised[int, int](s, nil) }},
	{"words like marks", func(s sizes) subject { return plainWords(s) }},
	{"small values", func(s sizes) subject { return texts{initialised[string, int](s, nil)} }},
	{"small values like marks, equal hashes", func(s sizes) subject {
		return texts{plainSmalls(s, bad{1})}
	}},
	{"small values like marks, equal hashes at first", func(s sizes) subject {
		return texts{crowded[int](s.soon(), zero)}
	}},
	{"large values", func(s sizes) subject { return pairs{initialised[int, [3]int](s, nil)} }},
	{"large values, equal hashes", func(s sizes) subject { return pairs{initialised[int, [3]int](s, same{})} }},
}
