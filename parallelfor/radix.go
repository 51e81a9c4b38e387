package parallelfor

import (
	"math/bits"
	"slices"
)

// sortKey is a key, as an integer in whose order the keys are.
type sortKey uint64

// movable are the elements of a sort by key, and temporary memory for as many.
type movable interface {
	// keys stores the keys of the elements from begin on, and reports whether these are their own
	// keys.
	keys(to []sortKey, begin int) (own bool)
	// store stores elements that are their own keys, from begin on.
	store(keys []sortKey, begin int)
	// room makes the temporary memory.
	room()
	// scatter copies element begin+i to place at[i] of the temporary memory, or back.
	scatter(begin int, at []int, back bool)
	// gather copies to place begin+i element begin+words[i]&mask of the temporary memory.
	gather(begin int, words []sortKey, mask sortKey)
	// copy copies elements to the same places of the temporary memory, or back.
	copy(begin, end int, back bool)
}

// radix is a sort by key. It moves the elements into buckets by the highest bits in which their
// keys differ, and does so again within each bucket that is longer than a segment. Two loops over
// segments do that: the first counts the elements of each segment and bucket, the second moves
// them. Then workers sort the other buckets, each by itself, by words of 64 bits: what is left of a
// key, above the number of its element. So elements are moved twice if the keys are spread evenly,
// and those with equal keys keep their order. Numbers that are their own keys are not moved: they
// are made of the sorted keys.
//
// The idea is that of DovetailSort (Dong, Dhulipala, Gu, Sun: Parallel Integer Sort, 2024), which
// finds frequent keys in a sample. Here they are what is in a bucket whose keys are all equal.
//
// Nothing here is generic except the elements. Of the loops only the first calls the user's
// function.
type radix struct {
	of    movable
	known func() bool // or nil
	grid
	own      bool         // elements are their own keys, and are not moved but stored at the end
	keys     [2][]sortKey // of the elements in the slice, and of those in the temporary memory
	segments []segment
	counts   []int // for each segment and bucket: at first elements, then the place of the next one
	parts    []part
	crew     []Option
}

// segment is what some keys have in common.
type segment struct {
	least, most, last sortKey
	sorted, own       bool
}

// part is a range of elements that one worker sorts, or moves if their keys are equal.
type part struct {
	begin, end  int
	over, equal bool // over: the elements are in the temporary memory
}

// radixLoop is the job of the loops of a radix sort. The job around it holds what is sorted.
type radixLoop struct{ Worker Worker }

const (
	keysAtLeast = 4096 // elements of a segment, without [Batch]
	mostDigits  = 11   // bits that choose a bucket
	perBucket   = 512  // elements of a bucket, about
	atOnce      = 256  // elements whose places are found before they are moved
	fewWords    = 24   // words that are sorted by insertion
)

// radixSort sorts n elements. If known is not nil, it is asked when all keys are there, and with
// false no elements are moved.
func radixSort(of movable, n int, r *Batches, opts []Option, known func() bool) {
	batch := sizeOf(opts)
	if batch == 0 {
		batch = keysAtLeast
	}
	t := radix{of: of, known: known, grid: newGrid(n, batch)}
	t.size = max(t.size, divUp(n, sortSegments))
	memory, _ := scratchOf[sortKey](&r.state, 2*n)
	t.keys = [2][]sortKey{memory[:n], memory[n:]}
	t.crew = r.crew(opts, t.size)
	t.split(0, n, false, true)
	t.finish()
}

// loop calls do for each segment of the elements [begin, end).
func (t *radix) loop(begin, end int, do func(w Worker, segment, begin, end int)) {
	ForBatch(end-begin, radixLoop{}, func(l *radixLoop, b, e int) { do(l.Worker, b/t.size, begin+b, begin+e) }, t.crew...)
}

// split moves the elements [begin, end) into buckets, unless one worker can sort them.
func (t *radix) split(begin, end int, over, first bool) {
	from, to := t.keys[0], t.keys[1]
	if over {
		from, to = to, from
	}
	n := divUp(end-begin, t.size)
	t.segments = slices.Grow(t.segments[:0], n)[:n]
	t.loop(begin, end, func(_ Worker, c, begin, end int) {
		own := first && t.of.keys(from[begin:end], begin)
		t.segments[c] = survey(from[begin:end])
		t.segments[c].own = own
	})
	all := surveyAll(t.segments)
	if first && t.known != nil && !t.known() {
		return
	}
	if all.sorted {
		if !first {
			t.add(part{begin, end, over, true})
		}
		return
	}
	if first {
		if t.own = all.own; !t.own {
			t.of.room()
		}
	}
	if n == 1 {
		t.add(part{begin, end, over, false})
		return
	}
	width := uint(bits.Len64(uint64(all.most - all.least)))
	digits := min(width, mostDigits, uint(max(bits.Len(uint(end-begin)/perBucket), 2)))
	shift, buckets := width-digits, 1<<digits
	t.counts = slices.Grow(t.counts[:0], n*buckets)[:n*buckets]
	t.loop(begin, end, func(_ Worker, c, begin, end int) {
		counts := t.counts[c*buckets : (c+1)*buckets]
		clear(counts)
		for _, k := range from[begin:end] {
			counts[(k-all.least)>>shift]++
		}
	})
	ends, at := make([]int, buckets), begin
	for d := range ends {
		for i := d; i < len(t.counts); i += buckets {
			at, t.counts[i] = at+t.counts[i], at
		}
		ends[d] = at
	}
	t.loop(begin, end, func(w Worker, c, begin, end int) {
		next := t.counts[c*buckets : (c+1)*buckets]
		places := Scratch[int](w, atOnce)
		for ; begin < end; begin += atOnce {
			places = places[:min(atOnce, end-begin)]
			for i, k := range from[begin:][:len(places)] {
				d := (k - all.least) >> shift
				at := next[d]
				next[d] = at + 1
				places[i], to[at] = at, k
			}
			if !t.own {
				t.of.scatter(begin, places, over)
			}
		}
	})
	for _, end := range ends {
		if shift > 0 && end-begin > t.size {
			t.split(begin, end, !over, false)
		} else {
			t.add(part{begin, end, !over, shift == 0})
		}
		begin = end
	}
}

// add adds a part, or several if the keys are in order, unless nothing is to be done there.
func (t *radix) add(p part) {
	if p.equal && !p.over && !t.own {
		return
	}
	for ; p.equal && p.end-p.begin > t.size; p.begin += t.size {
		t.parts = append(t.parts, part{p.begin, p.begin + t.size, p.over, true})
	}
	if p.begin < p.end {
		t.parts = append(t.parts, p)
	}
}

// finish sorts the parts, which ascend. A batch of its loop has those that begin in one segment.
func (t *radix) finish() {
	if len(t.parts) == 0 {
		return
	}
	at := func(begin int) int {
		k, _ := slices.BinarySearchFunc(t.parts, begin, func(p part, begin int) int { return p.begin - begin })
		return k
	}
	t.loop(0, t.n, func(w Worker, _, begin, end int) {
		for _, p := range t.parts[at(begin):at(end)] {
			t.sort(w, p)
		}
	})
}

// sort sorts a part into the slice.
func (t *radix) sort(w Worker, p part) {
	keys, words := t.keys[0][p.begin:p.end], t.keys[1][p.begin:p.end]
	if p.over {
		keys, words = words, keys
	}
	all := survey(keys)
	switch {
	case t.own:
		if !all.sorted {
			sortWords(keys, words, 0, uint(bits.Len64(uint64(all.least^all.most))))
		}
		t.of.store(keys, p.begin)
	case !all.sorted:
		temp, _ := scratchOf[sortKey](w.state, len(keys))
		mask := arrange(keys, words, temp, &all)
		if !p.over {
			t.of.copy(p.begin, p.end, false)
		}
		t.of.gather(p.begin, words, mask)
	case p.over:
		t.of.copy(p.begin, p.end, true)
	}
}

// survey returns what the keys have in common. There is at least one.
func survey(keys []sortKey) segment {
	s := segment{keys[0], keys[0], keys[len(keys)-1], true, false}
	last := keys[0]
	for _, k := range keys {
		s.least, s.most = min(s.least, k), max(s.most, k)
		if k < last {
			s.sorted = false
		}
		last = k
	}
	return s
}

// surveyAll returns what the keys of all segments have in common.
func surveyAll(segments []segment) segment {
	all := segment{least: ^sortKey(0), sorted: true, own: true}
	for _, s := range segments {
		all.sorted, all.own = all.sorted && s.sorted && all.last <= s.least, all.own && s.own
		all.least, all.most, all.last = min(all.least, s.least), max(all.most, s.most), s.last
	}
	return all
}

// arrange stores words in the order of the keys, and of equal keys in theirs. What mask selects of
// a word is the number of a key. temp has the same length.
func arrange(keys, words, temp []sortKey, all *segment) (mask sortKey) {
	low := uint(bits.Len(uint(len(keys) - 1)))
	width := uint(bits.Len64(uint64(all.most - all.least)))
	rest := max(low+width, 64) - 64 // the lowest bits of keys, for which a word has no room
	mask = 1<<low - 1
	for i, k := range keys {
		words[i] = (k-all.least)>>rest<<low | sortKey(i)
	}
	sortWords(words, temp, low, low+width-rest)
	for begin, end := 0, 0; rest > 0 && begin < len(words); begin = end {
		for end = begin + 1; end < len(words) && words[end]>>low == words[begin]>>low; {
			end++
		}
		if same := words[begin:end]; len(same) > 1 {
			for i, w := range same {
				same[i] = (keys[w&mask]-all.least)&(1<<rest-1)<<low | w&mask
			}
			sortWords(same, temp[:len(same)], low, low+rest)
		}
	}
	return mask
}

// sortWords sorts words that are equal from bit high on, and in the order of the bits below low.
func sortWords(words, temp []sortKey, low, high uint) {
	if len(words) <= fewWords {
		insertWords(words, words)
		return
	}
	var ends [256]int
	digits := min(high-low, 8, uint(bits.Len(uint(len(words)))-3))
	shift, mask := high-digits, sortKey(1)<<digits-1
	for _, w := range words {
		ends[w>>shift&mask]++
	}
	at := 0
	for d, n := range ends[:mask+1] {
		ends[d] = at
		at += n
	}
	for _, w := range words {
		d := w >> shift & mask
		temp[ends[d]] = w
		ends[d]++
	}
	begin := 0
	for _, end := range ends[:mask+1] {
		to, from := words[begin:end], temp[begin:end]
		if len(to) <= fewWords {
			insertWords(to, from)
		} else if copy(to, from); shift > low {
			sortWords(to, from, low, shift)
		}
		begin = end
	}
}

// insertWords stores the words of from in ascending order. from may be to.
func insertWords(to, from []sortKey) {
	for i, w := range from {
		for ; i > 0 && to[i-1] > w; i-- {
			to[i] = to[i-1]
		}
		to[i] = w
	}
}
