package parallelfor

import (
	"context"
	"iter"
	"math/bits"
	"slices"
	"time"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/flush"
	"example.com/custody/internal/origin"
	"example.com/custody/safety"
)

// This file has the loops over sources whose length is not known. The goroutine of the loop reads
// items into a chunk. When the chunk is full it schedules a job over the chunk, and reads on. It
// completes the jobs in the order of the items. So a source is read, and results are taken, by one
// goroutine, which works on the jobs when it has nothing else to do. No other goroutine is started.
//
// Invariants:
//
//	(seq.I1) At most mostChunks chunks have items at a time. The goroutine reads no item while it
//	     waits for a job. So memory is bounded, however slow the program takes results.
//	(seq.I2) The jobs of a ForSeq run one after the other, each After the one before. The first has
//	     no items, and is scheduled before the first item is read. A job is completed only when the
//	     next one is scheduled. So the containers are the loop's until it ends.
//	(seq.I3) Where a ForSeq is cut into batches is a function of the number of the item and Batch.
//	     Chunks end where batches end. So how long a chunk is, which follows the clock, does not
//	     change what the loop leaves.

// Flush is an error with which a source of [MapSeqErr] says that its next item may take a while:
// all results of items before are yielded first, and then Flush is, so that later stages do the
// same, and the program may write out what it has. A source that waits, as for a channel that is
// empty, yields Flush before it does. [ForSeqErr] ignores it. A function must not return it.
var Flush = flush.Err

const (
	mostChunks = 4                      // one that is filled, and the others
	mostItems  = 1 << 10                // of a chunk, for each worker
	mostHeld   = 1 << 14                // the same of a ForSeq: each of its jobs seals the containers
	someItems  = 8                      // of a chunk, for each worker of a loop whose jobs wait for each other
	raceItems  = 64                     // of each chunk with -race, where items of one are unordered
	firstItems = 128                    // of a ForSeq, which are batches of their own
	mostBatch  = 32                     // items of a batch of a ForSeq
	chunkWork  = time.Millisecond       // what a chunk has for each worker, if it is known
	readTime   = 100 * time.Microsecond // after which a chunk is not filled further while no job runs
	slowItem   = time.Microsecond       // time between items from which full looks at the clock for each
)

// MapSeq returns the results of f for the items of source, in their order. f is called in parallel,
// for items ahead of the one whose result is taken; see [Indices] for what it may touch. The items
// are read, and the results yielded, by the goroutine that ranges over the result, so neither the
// source nor the body of that range is called in parallel. Each range reads the source anew.
//
// A failure of f is that of the sequential loop: the results before it are yielded first, except
// that a Goexit on the ranging goroutine ends it at once. A range that ends early waits for the
// calls of f that run, and drops their results. So f must not wait for what the range does later.
// While the source waits for an item, results of earlier ones are held back; see [Flush].
//
// Memory is bounded: up to 4096 items for each worker, or 4 times [Batch], are ahead of the range.
// With -race these are at least 256.
// [Workers], Batch(-1) and [Sequential] bound the calls of f at a time. A nil f is a violation, and
// so are [LengthOf] and [Progress].
func MapSeq[A, B any](source iter.Seq[A], f func(a A) B, opts ...Option) iter.Seq[B] {
	s := sequenceOf(context.Background(), mapForm, source == nil, origin.Code(f), opts)
	g := func(_ *struct{}, _ int, a A) (B, error) { return f(a), nil }
	return func(yield func(B) bool) {
		x := flow[struct{}, A, B]{sequence: s, job: new(struct{}), f: g, yield: func(b B, err error) bool { return err == nil && yield(b) }}
		x.run(infallible(source))
	}
}

// MapSeqErr is [MapSeq] for a source and an f that can fail, under a context. The first error of
// the sequential loop is yielded last, with the zero B, and so is the cause of the end of ctx. The
// result is a source again, so stages follow one another; a stage that works item by item is a
// function that ranges over a source and yields, errors too.
func MapSeqErr[A, B any](ctx context.Context, source iter.Seq2[A, error], f func(a A) (B, error), opts ...Option) iter.Seq2[B, error] {
	s := sequenceOf(ctx, mapForm, source == nil, origin.Code(f), opts)
	g := func(_ *struct{}, _ int, a A) (B, error) { return f(a) }
	return func(yield func(B, error) bool) {
		x := flow[struct{}, A, B]{sequence: s, job: new(struct{}), f: g, yield: yield}
		x.run(source)
	}
}

// ForSeq calls body(j, i, a) for every item a of source, in parallel, and returns when all calls
// have returned; i is the number of the item. It is [For] for a source of unknown length: job, j
// and failures are as there, and views that append, merge and count leave what the sequential loop
// leaves. The calling goroutine reads the source. The containers of the job are the loop's from
// before the first item is read until the loop ends. A view that indices restrict, as a Writer and
// a StreamParallelWriter, is a violation, and so is [AutoOrder].
//
// The first 128 items are batches of their own. Then batches become longer, up to 32 items, unless
// [Batch] says how long they are. With Batch(-1) one worker runs batches of 1024 items. The
// containers are sealed at the end of each chunk, of 2 to 16,384 items for each worker. A seal of
// very many bins or rows takes long: fill such a container by a loop over a slice.
func ForSeq[J, A any](source iter.Seq[A], job J, body func(j *J, i int, a A), opts ...Option) {
	s := sequenceOf(context.Background(), loopForm, source == nil, origin.Code(body), opts)
	_ = forSeq(s, infallible(source), &job, func(j *J, i int, a A) (none struct{}, err error) { body(j, i, a); return none, nil })
}

// ForSeqErr is [ForSeq] for a source and a body that can fail, under a context; see [ForErr]. When
// ctx ends, what the last items have appended is not kept, and what items before them have is.
func ForSeqErr[J, A any](ctx context.Context, source iter.Seq2[A, error], job J, body func(j *J, i int, a A) error, opts ...Option) error {
	s := sequenceOf(ctx, loopForm, source == nil, origin.Code(body), opts)
	return forSeq(s, source, &job, func(j *J, i int, a A) (none struct{}, err error) { return none, body(j, i, a) })
}

func forSeq[J, A any](s sequence, source iter.Seq2[A, error], job *J, f func(j *J, i int, a A) (struct{}, error)) (failed error) {
	x := flow[J, A, struct{}]{sequence: s, job: job, f: f, yield: func(_ struct{}, err error) bool { failed = err; return true }}
	x.run(source)
	return failed
}

// infallible returns a source without errors.
func infallible[A any](source iter.Seq[A]) iter.Seq2[A, error] {
	return func(yield func(A, error) bool) {
		source(func(a A) bool { return yield(a, nil) })
	}
}

// The forms of functions that are called for items.
const (
	mapForm  = "map"
	loopForm = "loop"
)

// sequence is what a loop over a source has that does not depend on its types. A range over a
// MapSeq has a copy of its own.
type sequence struct {
	ctx     context.Context
	code    uintptr // of the program's function
	opts    []Option
	site    safety.Site
	workers int
	batch   int    // items of a batch; 0 if no option says it
	form    string // of the program's function: map or loop
	held    bool   // a ForSeq, whose containers are held until it ends
	chained bool   // the jobs run one after the other: a ForSeq, or an option bounds the workers

	unit  int           // items of a batch of the chunk that is filled; of a ForSeq
	least int           // items of a chunk, except that it may end earlier
	known int           // the items of a chunk that the cost of items asks for
	size  int           // the items that the chunk which is filled is to have
	look  int           // the number of its items at which full looks at the clock
	since time.Duration // the time of its first item
	read  int           // items that chunks were given
}

// sequenceOf returns a loop with those options, or panics with a violation. It is called by the
// function that the program calls.
func sequenceOf(ctx context.Context, form string, sourceless bool, code uintptr, opts []Option) sequence {
	checkBody(code == 0)
	if sourceless {
		panic(senseless("a loop over a nil source was run", "Pass an iterator, which may yield nothing.", 0).In(givenName(opts), ""))
	}
	s := sequence{ctx: ctx, form: form, held: form == loopForm, code: code, opts: slices.Clone(opts), site: siteOf(opts, uintptr(safety.Caller(2))), batch: sizeOf(opts), workers: defaultPool.processors()}
	for i := range opts {
		switch o := &opts[i]; {
		case o.what == optLengthOf || o.what == optProgress:
			panic(senseless("a loop over a source was run with LengthOf or Progress", "The length of a source is not known: leave the option away.", 0).In(givenName(opts), ""))
		case o.what == optAutoOrder && s.held:
			panic(senseless("a loop over a source was run with AutoOrder", "Complete the jobs that hold its containers first: jobs that came in between would change what it leaves.", 0).In(givenName(opts), ""))
		case o.what == optPool && o.with != (*Pool)(nil):
			s.workers = o.with.(*Pool).processors()
		}
	}
	one := s.batch == -1 || last(opts, optSequential) != nil
	if o := last(opts, optWorkers); o != nil {
		s.workers, s.chained = min(max(o.n, 1), maxWorkers), true
	}
	if one {
		s.workers = 1
	}
	s.least = s.workers
	if s.chained {
		s.least *= someItems
	}
	if atom.Race {
		s.least = max(s.least, raceItems)
	}
	s.chained = s.chained || s.held || one
	s.known = s.least
	return s
}

// aim sets how many items the next chunk is to have.
func (s *sequence) aim() {
	s.unit = 1
	most := s.workers * mostItems
	if s.held {
		s.unit, most = s.cut(s.workers * mostHeld)
	}
	s.size = s.known
	if s.batch > 0 {
		s.size = s.workers * min(s.batch, most)
		if atom.Race {
			s.size = max(s.size, s.least)
		}
	}
	s.size = max(min(s.size, most)/s.unit*s.unit, s.unit)
	s.look, s.since = s.unit, now()
}

// cut returns the items of a batch of the next chunk of a ForSeq, and how many items the chunk may
// have so that all its batches have as many (seq.I3).
func (s *sequence) cut(most int) (unit, atMost int) {
	switch {
	case s.batch > 0:
		return s.batch, most
	case s.batch == -1:
		return mostItems, mostItems
	}
	doubled := bits.Len(uint(s.read / firstItems))
	if 1<<doubled >= mostBatch {
		return mostBatch, most
	}
	return 1 << doubled, min(most, firstItems<<doubled-s.read)
}

// full reports whether to execute the chunk that is filled, which has n items: it has its size, or
// reading takes so long that workers have nothing to do.
func (s *sequence) full(n int, idle bool) bool {
	if n != s.look || n >= s.size || atom.Exploring() {
		return n >= s.size
	}
	read, enough := now()-s.since, readTime
	if atom.Race {
		enough *= 100 // what the race detector sees hardly depends on the clock
	}
	if read < time.Duration(n)*slowItem {
		s.look *= 2
	} else {
		s.look += s.unit
	}
	return idle && read >= enough
}

// learn notes that a chunk of n items took that time, added up over the workers.
func (s *sequence) learn(n int, took time.Duration) {
	if n == 0 || atom.Race || atom.Exploring() {
		return
	}
	fit := int(min(time.Duration(n)*time.Duration(s.workers)*chunkWork/max(took, 1), mostHeld*time.Duration(s.workers)))
	s.known = max(min(fit, 8*s.known), s.least)
}
