package queue_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

// stays is a job that has a queue by position until it is told to end.
type stays struct {
	Items queue.Reader[int]
	Runs  chan<- struct{} `custody:"unguarded"`
	End   <-chan struct{} `custody:"unguarded"`
}

func (j *stays) Execute() {
	j.Runs <- struct{}{}
	<-j.End
}

// atWait is a context that does something when a wait begins, after the look at the guard.
type atWait struct {
	context.Context
	do func()
}

func (c *atWait) Done() <-chan struct{} {
	if do := c.do; do != nil {
		c.do = nil
		do()
	}
	return c.Context.Done()
}

// A wait that is refused, because a job came in between, takes no call from those that wait after
// it.
func TestARefusedWaitIsNoWaiter(t *testing.T) {
	lawtest.CheckedOnly(t)
	r, q := queue.NewRing[int](4), queue.New[int]()
	for name, k := range map[string]struct {
		take func(context.Context) (int, error)
		put  func(int) bool
		view func() queue.Reader[int]
	}{"ring": {r.Dequeue, r.TryEnqueue, r.Reader}, "queue": {q.Dequeue, q.Enqueue, q.Reader}} {
		t.Run(name, func(t *testing.T) {
			end, runs, over := make(chan struct{}), make(chan struct{}), make(chan struct{})
			err := lawtest.Failure(func() error {
				_, err := k.take(&atWait{ctx, func() {
					go func() {
						defer close(over)
						h := parallelfor.ScheduleDo(stays{k.view(), runs, end}, (*stays).Execute)
						h.Complete()
					}()
					<-runs
				}})
				return err
			})
			require.ErrorIs(t, err, safety.ErrInFlight)
			close(end)
			<-over
			second := later(func() (int, error) { return k.take(ctx) })
			time.Sleep(20 * time.Millisecond) // so that it sleeps
			require.True(t, k.put(7))
			require.Equal(t, answer{7, nil}, lawtest.Arrives(t, "the call, which may have gone to a wait that was refused", second))
		})
	}
}

// A context that panics when a wait asks for its end leaves no waiter that would be called.
func TestAContextThatPanicsIsNoWaiter(t *testing.T) {
	q, s := queue.New[int](), queue.NewSPSC[int](1)
	for name, k := range map[string]struct {
		take func(context.Context) (int, error)
		put  func(int) bool
	}{"queue": {q.Dequeue, q.Enqueue}, "spsc": {s.Consumer().Dequeue, s.Producer().TryEnqueue}} {
		t.Run(name, func(t *testing.T) {
			require.Panics(t, func() { _, _ = k.take(&panics{ctx}) })
			second := later(func() (int, error) { return k.take(ctx) })
			time.Sleep(20 * time.Millisecond) // so that it sleeps
			k.put(7)
			require.Equal(t, answer{7, nil}, lawtest.Arrives(t, "the call, which may have gone to a wait that has ended", second))
		})
	}
}

// panics is a context that can end, and panics when it is asked to tell when.
type panics struct{ context.Context }

func (*panics) Done() <-chan struct{}               { return make(chan struct{}) }
func (*panics) AfterFunc(func()) (stop func() bool) { panic("no") }

// A producer that waits when its queue ends is told that it is closed, as those of other queues
// are.
func TestAProducerThatWaitsForADisposedQueue(t *testing.T) {
	for range 20 {
		q := queue.NewSPSC[int](1)
		p := q.Producer()
		p.TryEnqueue(1)
		waits := make(chan struct{})
		a := later(func() (int, error) { return 0, p.Enqueue(&atWait{ctx, func() { close(waits) }}, 2) })
		<-waits
		q.Dispose()
		if got := <-a; !errors.Is(got.err, queue.ErrClosed) {
			t.Fatal(got.err)
		}
	}
}

// On a busy machine a wait ends soon after its context: it does not yield to all other goroutines
// again and again.
func TestWaitsEndInTimeBesideThoseWhoCompute(t *testing.T) {
	stop := make(chan struct{})
	defer close(stop)
	for range 4 * runtime.GOMAXPROCS(0) {
		go func() {
			for x := 0; ; x++ {
				if x%(1<<20) == 0 {
					select {
					case <-stop:
						return
					default:
					}
				}
			}
		}()
	}
	for name, k := range waitingKinds(t) {
		c, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
		wait := later(func() (int, error) { return 0, k(c) })
		require.Equal(t, answer{0, context.DeadlineExceeded}, lawtest.Arrives(t, name, wait))
		cancel()
	}
}

// waitingKinds returns a wait that has nothing to wait for, of each kind.
func waitingKinds(t *testing.T) map[string]func(context.Context) error {
	t.Helper()
	r, q, s, full := queue.NewRing[int](1), queue.New[int](), queue.NewSPSC[int](1), queue.NewRing[int](1)
	full.TryEnqueue(1)
	return map[string]func(context.Context) error{
		"ring":      func(c context.Context) error { _, err := r.Dequeue(c); return err },
		"queue":     func(c context.Context) error { _, err := q.Dequeue(c); return err },
		"spsc":      func(c context.Context) error { _, err := s.Consumer().Dequeue(c); return err },
		"full ring": func(c context.Context) error { return full.Enqueue(c, 1) },
	}
}

// Neither a handle nor a view that a body has kept keeps an item alive that was taken out since.
func TestAHandleKeepsNoItemsAlive(t *testing.T) {
	r, q := queue.NewRing[*fuzz.Item](4), queue.New[*fuzz.Item]()
	for name, k := range map[string]struct {
		put  func(*fuzz.Item) bool
		take func() (*fuzz.Item, bool)
		view func() queue.Reader[*fuzz.Item]
	}{"ring": {r.TryEnqueue, r.TryDequeue, r.Reader}, "queue": {q.Enqueue, q.TryDequeue, q.Reader}} {
		gone := make(chan struct{})
		func() {
			v := new(fuzz.Item)
			runtime.AddCleanup(v, func(struct{}) { close(gone) }, struct{}{})
			k.put(v)
		}()
		var kept queue.Reader[*fuzz.Item] // by a body that should not have
		h := parallelfor.Go(k.view(), func(v *queue.Reader[*fuzz.Item]) { kept = *v })
		ticket := h.Ticket() // whose job is not used again
		h.Complete()
		k.take()
		lawtest.Happens(t, "nothing is kept alive: "+name, func() bool {
			select {
			case <-gone:
				return true
			default:
				return false
			}
		})
		runtime.KeepAlive(ticket)
		runtime.KeepAlive(&kept)
	}
}
