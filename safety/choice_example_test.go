package safety_test

import (
	"fmt"

	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// Board is a container of one's own with two sides: everybody reads the front while a job writes the back.
type Board struct {
	sides  [2]side
	choice safety.Choice // which side is the front
}

type side struct {
	guard safety.Guard
	text  string
}

func NewBoard(text string) *Board {
	b := new(Board)
	for i := range b.sides {
		b.sides[i] = side{text: text}
		b.sides[i].guard.Init(b, 0)
	}
	b.choice.Init(&b.sides[0].guard, &b.sides[1].guard)
	return b
}

// Text is for use outside jobs.
func (b *Board) Text() string {
	front := &b.sides[b.choice.Front()]
	front.guard.CheckRead()
	return front.text
}

// ReturnPhase is called when the job that wrote the back is completed: the sides change places, if it ran to its end.
func (b *Board) ReturnPhase(bool) { b.choice.Swap() }

// Writer returns a view for single jobs.
func (b *Board) Writer() BoardWriter { return BoardWriter{of: b} }

type BoardWriter struct {
	access safety.Access
	of     *Board
	back   *side
}

// Claim chooses the side, and has the ledger see to it that it is still the back when the job is admitted.
func (w *BoardWriter) Claim() safety.Claim {
	if !w.access.Bound() {
		w.back = &w.of.sides[w.of.choice.Back()]
		w.access = w.back.guard.Access(safety.Write)
	}
	c := w.access.Claim()
	c.Choice = &w.of.choice
	return c
}

func (w *BoardWriter) Bind(b safety.Binding) { w.access.Bind(b) }

func (w *BoardWriter) Write(text string) {
	w.access.Check()
	w.back.text = text
}

// announce writes a board.
type announce struct {
	Out  BoardWriter
	Text string
}

func (j *announce) Execute() { j.Out.Write(j.Text) }

func ExampleChoice() {
	b := NewBoard("welcome")
	h := parallelfor.ScheduleDo(announce{b.Writer(), "closing soon"}, (*announce).Execute)
	fmt.Println(b.Text()) // a job has the board, but not its front
	h.Complete()
	fmt.Println(b.Text())
	// Output:
	// welcome
	// closing soon
}
