package parallelfor

import (
	"context"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/handout"
	"example.com/custody/internal/origin"
)

// Recurse returns body(f, a), a recursion whose parallel steps are calls of f.Join. It is for
// trees, for divide and conquer, and for other work without indices. The body is one function:
//
//	func sum(f *parallelfor.Forks[*node, int], n *node) int {
//		if n == nil {
//			return 0
//		}
//		left, right := f.Join(n.left, n.right)
//		return n.value + left + right
//	}
//
//	total := parallelfor.Recurse(sum, root)
//
// The halves of a Join may read what none of them writes, and write what belongs to one of them
// alone, as the batches of [Indices] do. Builds with -race report halves that touch the same
// memory; docs/scheduler.md has up to how many Joins. A body that is in a job may give the halves
// the views of that job: Readers as they are, and Writers that SplitAt has split. It must not give
// them views that append: a half returns what is to be appended.
//
// A half may run loops and recursions, and wait for the jobs that it schedules. Batches of loops
// may run recursions.
//
// [On], [Workers], [Sequential], [Name] and [After] are as for any loop. If a loop that it was to
// run After failed with an error, Recurse returns a zero R without having run. [Progress] has no
// effect, and [Batch] none except that Batch(-1) is Sequential. [LengthOf] is a violation.
//
// Other workers take part if the last calls with that body took 30 µs or more, or if this is the
// first. So the first long call after short ones runs on one worker, unless Workers asks for more.
func Recurse[A, R any](body func(f *Forks[A, R], a A) R, a A, opts ...Option) R {
	p := planOf((*recursion[A, R])(nil))
	kept := p != nil && !atom.Exploring() && !atom.InBubble()
	var t *tree[A, R]
	if kept {
		t = (*tree[A, R])(unsafe.Pointer(planFor(p).takeTree()))
	}
	if t == nil {
		t = new(tree[A, R])
	}
	t.call, t.arg = body, a
	w := build(context.Background(), 0, &recursion[A, R]{}, t, about{origin.Code(body), "recursion", batchUnit}, opts, called, 0)
	t.prepare(workOf(w).exec, t)
	_ = w.run()
	r := t.result
	if kept {
		t.forget()
		planFor(p).giveTree((*spareTree)(unsafe.Pointer(t)), t.large)
	}
	return r
}

// Forks is what the body of a [Recurse] joins halves with. A call of the body must not use it after
// its end, nor on another goroutine.
//
// Join: own worker; waits: for halves; O(1); allocates once warm never.
type Forks[A, R any] struct {
	w      forker
	call   func(f *Forks[A, R], a A) R
	rights []A // by depth, the right halves of the Joins whose left halves run
	tree   *tree[A, R]
}

// Join returns the body's results for left and for right, which may run at the same time. The right
// half runs on this goroutine after the left one, unless another worker has had nothing to do
// meanwhile: then that one was given the oldest right half that had not begun. A right half that
// was not given away costs a few nanoseconds beyond the two calls. A worker gives away one in 10 µs
// of its work on average. So what is too small to be shared is not.
//
// While it waits for a right half, Join runs only parts of that half. So locks that the body holds
// are free whenever those of the sequential recursion are.
//
// A failure is that of the sequential recursion: if left panics, Join panics with the same value,
// and what a right half has done counts for nothing; otherwise, if right panics, Join does. Both
// have ended then. A half that ends its goroutine (runtime.Goexit) ends the caller of Recurse, and
// may do so although one before it panics.
func (f *Forks[A, R]) Join(left, right A) (l, r R) {
	if atom.Race {
		if !keeps {
			return forkBoth(f, left, right)
		}
	}
	d := f.w.depth
	if int64(d) >= f.w.limit.Load() {
		f.attend(right)
	}
	f.rights[d] = right
	f.w.depth = d + 1
	defer f.w.leave(d)
	l = f.call(f, left)
	f.w.depth = d
	if f.w.low > d {
		return l, f.collect(d, right)
	}
	return l, f.call(f, right)
}

// attend makes room for one more right half, and then gives one away if another worker asks.
func (f *Forks[A, R]) attend(right A) {
	w := &f.w
	d := w.depth
	if d == w.room {
		w.room = max(2*d, firstDepths)
		if more := w.room - len(f.rights); more > 0 {
			f.rights = append(f.rights, make([]A, more)...)
			w.away = append(w.away, make([]*given, more)...)
		}
	}
	f.rights[d] = right
	w.limit.Store(int64(w.room))
	if handout.Forced() {
		w.beckon()
	}
	if a := w.asked(); a != nil {
		g := w.away[w.low]
		if g == nil {
			if g = w.reusable(); g == nil {
				p := new(rightHalf[A, R])
				p.half = p
				g = &p.given
			}
			w.away[w.low] = g
		}
		(*rightHalf[A, R])(unsafe.Pointer(g)).arg = f.rights[w.low]
		w.give(g, a)
	}
}

// collect returns the result of the right half at depth d, which was given away, when it has ended.
func (f *Forks[A, R]) collect(d int, right A) R {
	if f.w.takesBack(d) {
		return f.call(f, right)
	}
	f.w.await(d)
	p := (*rightHalf[A, R])(unsafe.Pointer(f.w.away[d]))
	r, how := p.result, p.failed
	p.forget()
	if how.failed {
		how.raise(&f.w)
	}
	return r
}

// rightHalf is a right half that was given away.
type rightHalf[A, R any] struct {
	given
	arg    A
	result R
}

func (p *rightHalf[A, R]) run(w *forker) {
	f := (*Forks[A, R])(unsafe.Pointer(w))
	p.result = f.call(f, p.arg)
}

func (p *rightHalf[A, R]) forget() {
	var a A
	var r R
	p.arg, p.result = a, r
	p.reset()
}

// tree is a recursion. It is the kind of its job.
type tree[A, R any] struct {
	call func(f *Forks[A, R], a A) R
	forking
	arg    A
	result R
}

// recursion is the type of the jobs of the recursions of a type. It has as many indices as workers.
// Index 0 is the recursion. The workers of the others run parts of it until it ends.
type recursion[A, R any] struct{}

func (*recursion[A, R]) recurses() {}

// recursive sets what options have set that means nothing to a recursion, and returns the number of
// indices. In builds with the race detector there is one: see forkBoth.
func (w *work) recursive() int {
	w.settings.batch, w.progress = 1, nil
	if atom.Race {
		if !keeps {
			return 1
		}
	}
	return w.settings.workers
}

// Loop implements [Kind].
func (t *tree[A, R]) Loop(_ *recursion[A, R], r *Batches) error {
	for r.Next() {
		t.seat(r)
	}
	return nil
}

// seatAt returns the worker of index i, which begins to work.
func (t *tree[A, R]) seatAt(i int) *forker {
	w := t.forkers[i].Load()
	if w == nil {
		f := &Forks[A, R]{tree: t}
		w = &f.w
		t.seats(w, i)
	}
	w.seated = true
	(*Forks[A, R])(unsafe.Pointer(w)).call = t.call
	return w
}

// root runs the recursion.
func (t *tree[A, R]) root(w *forker) { t.result = t.call((*Forks[A, R])(unsafe.Pointer(w)), t.arg) }

// wipe forgets what the worker's right halves were.
func (t *tree[A, R]) wipe(w *forker) {
	f := (*Forks[A, R])(unsafe.Pointer(w))
	clear(f.rights[:w.room])
	f.call = nil
}

// A worker of a recursion has room for firstDepths right halves at first. With room for more than
// keptDepths it is kept until the garbage collector wants the memory.
const (
	firstDepths = 32
	keptDepths  = 1 << 10
)

// forget forgets everything of a recursion that has ended.
func (t *tree[A, R]) forget() {
	var a A
	var r R
	t.call, t.arg, t.result = nil, a, r
	t.end()
}

// spareTree is a tree whose types its plan knows.
type spareTree struct{ _ *exec }

// takeTree returns a tree that was given back, or nil.
func (p *plan) takeTree() *spareTree {
	if reuse && p.tree.Load() != nil {
		if t := p.tree.Swap(nil); t != nil {
			return t
		}
	}
	return p.trees.Take()
}

// giveTree keeps a tree for a later recursion. A large one is left to the garbage collector.
func (p *plan) giveTree(t *spareTree, large bool) {
	if !reuse || large || !p.tree.CompareAndSwap(nil, t) {
		p.trees.Give(t)
	}
}
