package fall

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/examples/fixedupdate/internal/motion"
	"example.com/custody/fuzz"
	"example.com/custody/parallelfor"
)

// worlds makes one of each kind, at 1, 2 and 8 workers and with chunks of several sizes.
func worlds() map[string]World {
	all := map[string]World{
		"columns, sequential": NewColumns(Config{2, 64}, parallelfor.Sequential()),
		"columns, automatic":  NewColumns(Config{2, 1}),
		"loop, sequential":    NewLoop(Config{2, 10}, parallelfor.Sequential()),
		"calls":               NewCalls(Config{2, 1}),
	}
	for name, workers := range map[string]int{"one worker": 1, "two workers": 2, "eight workers": 8} {
		for size, chunk := range map[string]int{"small": 7, "large": 100} {
			all["columns, "+name+", "+size] = NewColumns(Config{2, chunk}, parallelfor.Workers(workers))
			all["loop, "+name+", "+size] = NewLoop(Config{2, chunk}, parallelfor.Workers(workers))
		}
	}
	return all
}

func TestAllWorldsAreTheCallsBitForBitAfterEveryStep(t *testing.T) {
	for _, c := range []struct{ n, churn, steps int }{{400, 20, 12}, {0, 0, 3}, {1, 1, 8}, {30, 40, 8}, {50, 0, 6}} {
		want := NewScript(NewCalls(Config{Parts: 2}), c.n, c.churn, 1)
		all := map[string]*Script{}
		for name, w := range worlds() {
			all[name] = NewScript(w, c.n, c.churn, 1)
		}
		stop := fuzz.HandOut(uint64(c.n))
		for range c.steps {
			want.Step()
			sum := want.Sum()
			for name, s := range all {
				s.Step()
				require.NoError(t, Same(want, s), "%s, %+v, step %d", name, c, s.Steps)
				require.Equal(t, sum, s.Sum(), name)
			}
		}
		stop()
		for _, s := range all {
			s.Close()
		}
	}
}

func TestAScriptHasAllThatCanHappen(t *testing.T) {
	s := NewScript(NewColumns(Config{1, 256}), 900, 20, 3)
	for range 250 {
		s.Step()
	}
	require.Equal(t, 2, s.Wrong)
	made, wraps := s.Made()
	require.Positive(t, wraps)
	require.Equal(t, 900+250*21, made)
	got := s.Tally()
	require.Equal(t, Tally{
		Added: 900 + 249*20, Removed: got.Removed, Swept: 249 * 5, CalledOff: 249, Refused: 2 * 249, Moved: got.Moved, PassedBy: 250 * 5,
	}, got)
	require.Greater(t, got.Removed, 249*5, "some have burnt out")
	require.GreaterOrEqual(t, got.Removed+got.Swept, 900+20*48, "nobody has more than so many steps")
	require.Equal(t, got.Added-got.Removed-got.Swept, s.Len())
	wound := 0
	for _, o := range s.all {
		if top, ok := o.(*Top); ok {
			wound += top.wound
		}
		require.GreaterOrEqual(t, o.self().body.Left, int32(0))
		require.InDelta(t, 1, o.self().body.Turn.Size(), 1e-5)
	}
	require.Positive(t, wound)
	require.Len(t, s.World.(*Columns).Took(), 250)
	require.Zero(t, NewScript(NewCalls(Config{Parts: 1}), 1, 0, 1).Tally())
}

// words is an item that is a slice, and pair one that has one.
type words []string

func (words) Body() motion.Body    { return motion.Body{} }
func (words) Moved(motion.Body)    {}
func (words) FixedUpdate(int) bool { return false }
func (words) Alive() bool          { return true }

type pair struct{ words }

// lone is an item without a pointer.
type lone struct {
	_    *words
	name string
}

func (lone) Body() motion.Body    { return motion.Body{Left: 9} }
func (lone) Moved(motion.Body)    {}
func (lone) FixedUpdate(int) bool { return false }
func (lone) Alive() bool          { return true }

func TestWhatCannotBeAnItemIsRefusedWhenItIsRegistered(t *testing.T) {
	for name, w := range map[string]World{"calls": NewCalls(Config{}), "columns": NewColumns(Config{1, 9}), "loop": NewLoop(Config{1, 9})} {
		assert.ErrorIs(t, w.Register(nil), ErrNil, name)
		assert.ErrorIs(t, w.Register((*Stone)(nil)), ErrNil, name)
		assert.ErrorContains(t, w.Register((*Top)(nil)), "a nil *fall.Top")
		assert.ErrorIs(t, w.Register(words(nil)), ErrNil, name)
		assert.ErrorIs(t, w.Register(words{}), ErrAlike, name)
		assert.ErrorContains(t, w.Register(pair{}), "a fall.pair")
		assert.NoError(t, w.Register(lone{name: "a"}))
		assert.NoError(t, w.Register(lone{name: "b"}))
		assert.NoError(t, w.Register(lone{name: "a"}), "that there is one is found at the next step")
		w.Step(func() {})
		assert.Equal(t, 2, w.Len(), name)
		assert.Equal(t, Tally{Added: 2, Refused: 1, Moved: 2}, w.Tally(), name)
		w.Close()
	}
}

// An item that dies while the job runs is not told its result; one that is removed is.
func TestWhoDiesMeanwhileIsPassedBy(t *testing.T) {
	for name, w := range worlds() {
		var all []Object
		for range 20 {
			o := &Stone{object{body: motion.Body{Turn: motion.Upright, Left: 2}}}
			all = append(all, o)
			require.NoError(t, w.Register(o))
		}
		w.Step(func() {
			all[3].self().dead = true
			w.Remove(all[4])
		})
		for i, o := range all {
			want := int32(1)
			if i == 3 {
				want = 2
			}
			require.Equal(t, want, o.self().body.Left, "%s, %d", name, i)
		}
		require.Equal(t, Tally{Added: 20, Moved: 19, PassedBy: 1}, w.Tally(), name)
		w.Step(func() {})
		require.Equal(t, int32(1), all[4].self().body.Left, "it was removed")
		w.Step(func() { require.Zero(t, w.Len(), "all have burnt out") })
		require.Equal(t, Tally{Added: 20, Removed: 19, Swept: 1, Moved: 37, PassedBy: 1}, w.Tally(), name)
		w.Step(func() {})
		w.Close()
	}
}

func TestAnyGoroutineRegistersAndRemovesAtAnyTime(t *testing.T) {
	for name, w := range worlds() {
		var all sync.WaitGroup
		end := make(chan bool)
		for range 4 {
			all.Go(func() {
				for range 200 {
					a, b := &Stone{}, &Feather{}
					_ = w.Register(a)
					_ = w.Register(b)
					w.Remove(a)
				}
			})
		}
		go func() {
			all.Wait()
			close(end)
		}()
		for running := true; running; {
			select {
			case <-end:
				running = false
			default:
			}
			w.Step(func() {})
		}
		w.Step(func() {})
		require.Equal(t, 800, w.Len(), name)
		require.Zero(t, w.Tally().Refused, name)
		w.Close()
	}
}

func TestSameFindsEveryDifference(t *testing.T) {
	for name, differ := range map[string]func(s *Script){
		"object 7, a ":     func(s *Script) { s.all[7].self().body.At.Y++ },
		"object 0, a ":     func(s *Script) { s.all[0].self().body.Turn.W = -0.5 },
		"object 9, a ":     func(s *Script) { s.all[9].self().dead = true },
		"and not 10 of 12": func(s *Script) { s.all = s.all[:11] },
		"counted":          func(s *Script) { s.Wrong++ },
	} {
		a, b := NewScript(NewCalls(Config{Parts: 1}), 10, 1, 5), NewScript(NewColumns(Config{1, 4}), 10, 1, 5)
		a.Step()
		b.Step()
		require.NoError(t, Same(a, b))
		sum := b.Sum()
		differ(b)
		require.ErrorContains(t, Same(a, b), name)
		require.True(t, sum != b.Sum() || name == "counted", name)
	}
}
