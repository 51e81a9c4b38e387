package main

import (
	"strconv"

	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// These misuse hash maps: jobs that hold them, and the positions of their keys.

const (
	stockName  = `hashmap.Map[string,int] "stock"`
	citiesName = `hashmap.MultiMap[string,int] "cities"`
)

var hashMaps = []misuse{
	{"a job looks a key up in a map that another one adds to", looksUpWhatIsAdded, safety.Violation{Kind: safety.ErrConflict,
		Container: stockName, Job: "price", Field: "Stock", OtherJob: "deliver", OtherField: "Stock", Made: somewhere, Scheduled: somewhere}, checked},
	{"a job merges into a map that the bodies of another one share", mergesIntoShared, safety.Violation{Kind: safety.ErrConflict,
		Container: stockName, Job: "take back", OtherJob: "sell", OtherField: "Stock", Made: somewhere, Scheduled: somewhere}, checked},
	{"a job changes values of a multimap that another one reads", changesWhatIsRead, safety.Violation{Kind: safety.ErrConflict,
		Container: citiesName, Job: "grow", OtherJob: "report", Made: somewhere, Scheduled: somewhere}, checked},

	{"the owner changes a map that a job reads", storeInFlight, safety.Violation{Kind: safety.ErrInFlight,
		Container: stockName, OtherJob: "price", OtherField: "Stock", Made: somewhere, Scheduled: somewhere}, checked},
	{"the owner looks a key up in a map that a job adds to", loadInFlight, safety.Violation{Kind: safety.ErrInFlight,
		Container: stockName, OtherJob: "deliver", OtherField: "Stock", Made: somewhere, Scheduled: somewhere}, checked},
	{"the owner adds to a multimap that a job reads", addInGroups, safety.Violation{Kind: safety.ErrInFlight,
		Container: citiesName, OtherJob: "report", Made: somewhere, Scheduled: somewhere}, checked},
	{"a body looks a key up in the map that its job adds to", capturedMap, safety.Violation{Kind: safety.ErrInFlight,
		Container: stockName, Job: "order", OtherJob: "order", Made: somewhere}, checked},

	{"a job holds a map to look keys up and to add to it", aliasedMap, safety.Violation{Kind: safety.ErrAliased,
		Container: stockName, Job: "restock", Field: "Old", OtherField: "New", Made: somewhere}, checked},

	{"a map is used after Dispose", disposedMap, safety.Violation{Kind: safety.ErrDisposed, Container: stockName, Made: somewhere}, checked},

	{"a job adds to a multimap while its owner ranges over it", rangeOverGroups, safety.Violation{Kind: safety.ErrBorrowed,
		Container: citiesName, OtherJob: "found", Made: somewhere, Scheduled: somewhere}, checked},

	{"a value is merged into a map after the batch", staleMerger, safety.Violation{Kind: safety.ErrStaleView, Container: stockName, Made: somewhere}, always},

	{"a loop writes the value of another batch's key", keyRange, safety.Violation{Kind: safety.ErrWriteRange,
		Container: stockName, Job: "carry", Index: 1, Min: 0, Max: 1, Length: 3, Made: somewhere}, always},
	{"a loop changes the values of another batch's key", groupRange, safety.Violation{Kind: safety.ErrWriteRange,
		Container: citiesName, Job: "move", Index: 1, Min: 0, Max: 1, Length: 2, Made: somewhere}, always},

	{"a loop has more indices than a map has keys", keyIndex, safety.Violation{Kind: safety.ErrIndex,
		Container: stockName, Job: "double", Index: 3, Min: 3, Max: 3, Length: 3, Made: somewhere}, always},
	{"a loop over the keys of a multimap has an index for each value", groupIndex, safety.Violation{Kind: safety.ErrIndex,
		Container: citiesName, Job: "report", Index: 2, Max: 2, Length: 2, Made: somewhere}, always},

	{"a map is to grow by a negative number of keys", negativeGrow, safety.Violation{Kind: safety.ErrLength, Container: stockName, N: -1, Made: somewhere}, always},
}

func newStock() *hashmap.Map[string, int] {
	m := hashmap.New[string, int](safety.Named("stock"))
	m.Store("bolt", 10)
	m.Store("nail", 20)
	m.Store("nut", 30)
	return m
}

func newCities() *hashmap.MultiMap[string, int] {
	m := hashmap.NewMulti[string, int](safety.Named("cities"))
	m.AddAll("de", []int{1, 2})
	m.AddAll("fr", []int{3, 4, 5})
	return m
}

type price struct {
	Stock hashmap.Reader[string, int]
}

func (j *price) Execute() { _, _ = j.Stock.Load("nail") }

type deliver struct {
	Stock hashmap.ParallelWriter[string, int]
}

func (j *deliver) Execute() { j.Stock.Set("nail", 100) }

type sell struct {
	Stock hashmap.Shared[string, int]
}

func (j *sell) Execute() { j.Stock.Delete("nail") }

type restock struct {
	Old hashmap.Reader[string, int]
	New hashmap.ParallelWriter[string, int]
}

func (j *restock) Execute() {
	n, _ := j.Old.Load("nail")
	j.New.Set("nail", n+1)
}

func plus(a, b int) int { return a + b }

// A job looks up what another one adds, and does not run after it.
func looksUpWhatIsAdded() {
	m := newStock()
	first := parallelfor.ScheduleDo(deliver{Stock: m.ParallelWriter()}, (*deliver).Execute, parallelfor.Inline())
	defer first.Complete()
	parallelfor.Do(price{Stock: m.Reader()}, (*price).Execute) // no parallelfor.After(first)
}

// A job merges into a map that another job holds by Shared. What its bodies find would depend on
// time.
func mergesIntoShared() {
	m := newStock()
	first := parallelfor.ScheduleDo(sell{Stock: m.Shared()}, (*sell).Execute, parallelfor.Inline())
	defer first.Complete()
	parallelfor.Do(m.ParallelMerger(plus), func(w *hashmap.ParallelMerger[string, int]) { w.Merge("nail", 1) }, parallelfor.Name("take back"))
}

// A job changes values in place, and another one reads them.
func changesWhatIsRead() {
	m := newCities()
	first := parallelfor.Go(m.Reader(), func(r *hashmap.MultiReader[string, int]) { _ = r.Values("de") }, parallelfor.Name("report"), parallelfor.Inline())
	defer first.Complete()
	parallelfor.For(2, m.Writer(), func(w *hashmap.MultiWriter[string, int], i int) {
		_, people := w.At(i)
		people[0]++
	}, parallelfor.Name("grow"))
}

// The owner changes a map that a job reads. Lookups beside the job are allowed. A job that holds
// the map by Shared permits changes.
func storeInFlight() {
	m := newStock()
	h := parallelfor.ScheduleDo(price{Stock: m.Reader()}, (*price).Execute, parallelfor.Inline())
	defer h.Complete()
	_, _ = m.Load("nail")
	m.Store("nail", 0)
}

// The owner looks a key up in a map that a job adds to.
func loadInFlight() {
	m := newStock()
	h := parallelfor.ScheduleDo(deliver{Stock: m.ParallelWriter()}, (*deliver).Execute, parallelfor.Inline())
	defer h.Complete()
	_, _ = m.Load("nail")
}

// The owner adds a value to a multimap that a job reads. To read a copy of the values beside the
// job is allowed.
func addInGroups() {
	m := newCities()
	h := parallelfor.Go(m.Reader(), func(r *hashmap.MultiReader[string, int]) { _ = r.Values("de") }, parallelfor.Name("report"), parallelfor.Inline())
	defer h.Complete()
	_ = m.Values("de")
	m.Add("de", 6)
}

// The owner ranges over a multimap, and schedules a job in the middle that adds to it. That the job
// was completed before the next key makes no difference.
func rangeOverGroups() {
	m := newCities()
	for country := range m.Groups() {
		h := parallelfor.Go(m.ParallelWriter(), func(w *hashmap.MultiParallelWriter[string, int]) {
			w.Add(country, 0)
		}, parallelfor.Name("found"), parallelfor.Inline())
		h.Complete()
	}
}

// A body asks the map for a key before it adds the key. Additions come into the map when the job is
// sealed, and Add does not change keys that are there then.
func capturedMap() {
	m := newStock()
	parallelfor.For(100, m.ParallelWriter(), func(w *hashmap.ParallelWriter[string, int], i int) {
		size := "screw " + strconv.Itoa(i%10)
		if _, there := m.Load(size); !there {
			w.Add(size, i)
		}
	}, parallelfor.Name("order"))
}

// A job looks keys up in the map that it adds to. A ParallelMerger is for additions that depend on
// the value of the key.
func aliasedMap() {
	m := newStock()
	parallelfor.Do(restock{Old: m.Reader(), New: m.ParallelWriter()}, (*restock).Execute)
}

// A map is used after Dispose.
func disposedMap() {
	m := newStock()
	m.Dispose()
	_, _ = m.Load("nail")
}

// A view that merges is kept after its batch. The value would never come into the map.
func staleMerger() {
	m := newStock()
	var kept hashmap.ParallelMerger[string, int]
	parallelfor.Do(m.ParallelMerger(plus), func(w *hashmap.ParallelMerger[string, int]) { kept = *w })
	kept.Merge("nail", 1)
}

// A loop over the keys of a map copies each value to the next key, which may be another batch's.
// The text has the key.
func keyRange() {
	m := newStock()
	parallelfor.ForBatch(3, m.Writer(), func(w *hashmap.Writer[string, int], begin, end int) {
		for i := begin; i < end; i++ {
			_, n := w.At(i)
			w.Set(i+1, n)
		}
	}, parallelfor.Name("carry"), parallelfor.Batch(1))
}

// A loop over the keys of a multimap changes values of each key and of the next one.
func groupRange() {
	m := newCities()
	parallelfor.ForBatch(2, m.Writer(), func(w *hashmap.MultiWriter[string, int], begin, end int) {
		for i := begin; i < end; i++ {
			_, from := w.At(i)
			_, to := w.At(i + 1)
			from[0]--
			to[0]++
		}
	}, parallelfor.Name("move"), parallelfor.Batch(1))
}

// A loop writes values by position, and is one too long. With parallelfor.LengthOf it has as many
// indices as there are keys when it starts.
func keyIndex() {
	m := newStock()
	parallelfor.For(4, m.Writer(), func(w *hashmap.Writer[string, int], i int) {
		_, n := w.At(i)
		w.Set(i, 2*n)
	}, parallelfor.Name("double"), parallelfor.Batch(1))
}

// A loop over the keys of a multimap has as many indices as the multimap has values. LenKeys
// returns the number of keys.
func groupIndex() {
	m := newCities()
	parallelfor.For(m.Len(), m.Reader(), func(r *hashmap.MultiReader[string, int], i int) { _, _ = r.At(i) }, parallelfor.Name("report"))
}

// A map of three keys is to grow by 2 - 3 keys.
func negativeGrow() {
	m := newStock()
	m.Grow(2 - m.Len())
}
