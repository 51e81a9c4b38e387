package table

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// A call, or a loop, is refused with the name of the other goroutine's call that the word notes.
func TestTheWordSaysWhichCallAnotherOneIsRefusedFor(t *testing.T) {
	if !safety.Enabled {
		t.Skip("checked")
	}
	tab := New[int]()
	col := ColumnOf(tab, func(r *int) *int { return r })
	tab.Add(1)
	tab.Apply()
	refused := func(kind error, what string, f func()) {
		t.Helper()
		defer func() {
			t.Helper()
			tab.core.calls.word.Store(0)
			err, _ := recover().(error)
			require.ErrorIs(t, err, kind)
			require.ErrorContains(t, err, what)
		}()
		f()
	}
	refused(safety.ErrDisposed, "while another goroutine's Table.Dispose runs", func() {
		tab.core.calls.word.Store(uint64(callDispose))
		tab.Apply()
	})
	refused(safety.ErrConflict, "while another goroutine's Table.Apply runs", func() {
		tab.core.calls.word.Store(uint64(callApply))
		tab.Dispose()
	})
	refused(safety.ErrConflict, "while another goroutine's call came to its end", func() { panic(tab.core.refused(callApply)) })
	refused(safety.ErrConflict, "while another goroutine's Table.Apply runs", func() {
		tab.core.calls.word.Store(uint64(callApply) | changesRows)
		Schedule(tab.Rows(), reads{col.Reader()}, (*reads).Execute).Complete()
	})
	require.Equal(t, 1, col.At(0))
}

// If a function that finds a field misuses the table, ColumnOf panics with that violation, and does
// not say that the function panics for a zero row.
func TestAViolationOfWhatFindsAFieldIsItsOwn(t *testing.T) {
	if !safety.Enabled {
		t.Skip("checked")
	}
	tab := New[int]()
	defer func() {
		err, _ := recover().(error)
		require.ErrorIs(t, err, safety.ErrConflict)
		require.False(t, errors.Is(err, safety.ErrArgument))
	}()
	ColumnOf(tab, func(r *int) *int { tab.Apply(); return r })
}

// A row that is transferred before it is added keeps its fields of a DoubleColumn, unless the
// column discards its elements.
func TestATransferOfAStagedRowCarriesADoubleColumn(t *testing.T) {
	type row struct{ Kept, Left int }
	from, to := New[row](), New[row]()
	for _, tab := range []*Table[row]{from, to} {
		DoubleOf(tab, func(r *row) *int { return &r.Kept })
	}
	DoubleOf(from, func(r *row) *int { return &r.Left }, Discard())
	left := ColumnOf(to, func(r *row) *int { return &r.Left })
	id := Transfer(from, from.Add(row{1, 2}), to)
	from.Apply()
	to.Apply()
	r, ok := to.Get(id)
	require.True(t, ok)
	require.Equal(t, row{1, 0}, r)
	require.Equal(t, 0, left.At(0))
}

// If a body of a frame's loop calls Finish, that call is refused, and the frame can still be
// finished.
func TestABodyThatFinishesItsFrameLeavesItRunning(t *testing.T) {
	lawtest.CheckedOnly(t)
	tab := New[int]()
	col := ColumnOf(tab, func(r *int) *int { return r })
	tab.Add(1)
	var p *Pipeline
	begin, err := make(chan bool), make(chan any, 1)
	p = NewPipeline(tab, Frame{Schedule: func() parallelfor.Handle {
		return Schedule(tab.Rows(), finishes{col.Reader(), p, begin, err}, (*finishes).Execute)
	}})
	p.Start()
	close(begin)
	v, _ := (<-err).(error)
	require.ErrorIs(t, v, safety.ErrWaitCycle)
	require.True(t, p.Running())
	p.Finish()
	require.False(t, p.Running())
	p.Close()
}

// finishes is a job whose body finishes the frame that the job belongs to.
type finishes struct {
	V     array.Reader[int]
	Of    *Pipeline `custody:"unguarded"`
	Begin chan bool `custody:"unguarded"`
	Err   chan any  `custody:"unguarded"`
}

func (b *finishes) Execute(int) {
	<-b.Begin
	defer func() { b.Err <- recover() }()
	b.Of.Finish()
}

type reads struct{ V array.Reader[int] }

func (*reads) Execute(int) {}
