package groups

import (
	"context"
	"runtime"
	"sync"

	workiva "github.com/Workiva/go-datastructures/queue"
	eapache "github.com/eapache/queue"
	"github.com/gammazero/deque"
	"github.com/puzpuzpuz/xsync/v4"
	"github.com/smallnest/chanx"
)

// listed is a slice under a lock, as a program has it that is written by hand. It returns false
// when it has no item.
type listed[T any] struct {
	mu   sync.Mutex
	list []T
}

func (l *listed[T]) put(v T) bool {
	l.mu.Lock()
	l.list = append(l.list, v)
	l.mu.Unlock()
	return true
}

func (l *listed[T]) take() (v T, ok bool) {
	l.mu.Lock()
	if ok = len(l.list) > 0; ok {
		v, l.list = l.list[0], l.list[1:]
	}
	l.mu.Unlock()
	return v, ok
}

// swapped is a listed of which the only taker takes all that there is at once.
type swapped[T any] struct {
	listed[T]
	own  []T
	next int
}

func (s *swapped[T]) take() (v T, ok bool) {
	if s.next == len(s.own) {
		s.mu.Lock()
		s.list, s.own, s.next = s.own[:0], s.list, 0
		s.mu.Unlock()
		if len(s.own) == 0 {
			return v, false
		}
	}
	v = s.own[s.next]
	s.next++
	return v, true
}

// locking is the pipe of a queue that must be under a lock.
func locking[T any](add func(v T), length func() int, remove func() T) pipe[T] {
	var mu sync.Mutex
	return tried(func(v T) bool {
		mu.Lock()
		add(v)
		mu.Unlock()
		return true
	}, func() (v T, ok bool) {
		mu.Lock()
		if ok = length() > 0; ok {
			v = remove()
		}
		mu.Unlock()
		return v, ok
	})
}

// peerPipe is a peer without a bound.
type peerPipe[T any] struct {
	name string
	pipe[T]
	one bool // only one goroutine may take
}

// unbound returns the peers without a bound, and how to end them.
func unbound[T any]() (peers []peerPipe[T], end func()) {
	add := func(name string, one bool, p pipe[T]) { peers = append(peers, peerPipe[T]{name, p, one}) }
	l, s, u := &listed[T]{}, &swapped[T]{}, xsync.NewUMPSCQueue[T]()
	add("slice under a lock", false, tried(l.put, l.take))
	var d deque.Deque[T]
	add("gammazero/deque under a lock", false, locking(d.PushBack, d.Len, d.PopFront))
	e := eapache.New()
	add("eapache/queue under a lock", false, locking(func(v T) { e.Add(v) }, e.Length, func() T { return e.Remove().(T) }))
	w := workiva.New(bound)
	add("workiva.Queue", false, pipe[T]{func(v T) { _ = w.Put(v) }, func() T {
		v, _ := w.Get(1)
		return v[0].(T)
	}})
	if p, ok := any(numbers()).(pipe[T]); ok {
		add("lscq.Uint64Queue", false, p)
	} else if p, ok := pointers[T](); ok {
		add("lscq.PointerQueue", false, p)
	}
	x := chanx.NewUnboundedChan[T](context.Background(), bound)
	add("chanx", false, pipe[T]{func(v T) { x.In <- v }, func() T { return <-x.Out }})
	add("xsync.UMPSCQueue", true, pipe[T]{u.Enqueue, u.Dequeue})
	add("slice under a lock, taken whole", true, tried(s.put, s.take))
	return peers, func() { close(x.In) }
}

// boxing is the pipe of a ring of any items.
func boxing[T any](w *workiva.RingBuffer) pipe[T] {
	return pipe[T]{func(v T) { _ = w.Put(v) }, func() T {
		v, _ := w.Get()
		return v.(T)
	}}
}

// private is a ring that a goroutine has for itself.
type private[T any] struct {
	items   []T
	in, out uint
}

func (r *private[T]) put(v T) bool {
	if r.in-r.out == uint(len(r.items)) {
		return false
	}
	r.items[r.in&uint(len(r.items)-1)] = v
	r.in++
	return true
}

func (r *private[T]) take() (v T, ok bool) {
	if r.in == r.out {
		return v, false
	}
	v = r.items[r.out&uint(len(r.items)-1)]
	r.out++
	return v, true
}

// tried is a pipe of operations that do not wait: others are let run meanwhile.
func tried[T any](put func(T) bool, take func() (T, bool)) pipe[T] {
	return pipe[T]{
		func(v T) {
			for !put(v) {
				runtime.Gosched()
			}
		},
		func() T {
			for {
				if v, ok := take(); ok {
					return v
				}
				runtime.Gosched()
			}
		},
	}
}

// channel is a pipe that is a channel.
func channel[T any](n int) func() pipe[T] {
	c := make(chan T, n)
	return func() pipe[T] { return pipe[T]{func(v T) { c <- v }, func() T { return <-c }} }
}

// locked is a ring under a lock, written by hand.
type locked[T any] struct {
	mu          sync.Mutex
	room, there sync.Cond
	items       []T
	head, n     int
}

func newLocked[T any](n int) *locked[T] {
	l := &locked[T]{items: make([]T, n)}
	l.room.L, l.there.L = &l.mu, &l.mu
	return l
}

func (l *locked[T]) put(v T) {
	l.mu.Lock()
	for l.n == len(l.items) {
		l.room.Wait()
	}
	l.items[(l.head+l.n)%len(l.items)] = v
	l.n++
	l.there.Signal()
	l.mu.Unlock()
}

func (l *locked[T]) take() T {
	l.mu.Lock()
	for l.n == 0 {
		l.there.Wait()
	}
	v := l.items[l.head]
	l.head = (l.head + 1) % len(l.items)
	l.n--
	l.room.Signal()
	l.mu.Unlock()
	return v
}
