package safety_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// said returns what a stack says, with HERE for places.
func said(s *stack) string {
	text := s.guard.Text(s, func() string { return "looked" })
	for {
		i := strings.Index(text, "helpers_test.go:")
		if i < 0 {
			return text
		}
		end := i + strings.IndexAny(text[i:], ",;")
		text = text[:i] + "HERE" + text[end:]
	}
}

func TestAContainerSaysWhatItIsAndWhoHoldsIt(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(3, safety.Named("costs"))
	assert.Equal(t, `safety_test.stack "costs": looked`, said(s))
	assert.Equal(t, `safety_test.stack "costs"`, s.guard.Text(s, nil))
	assert.Equal(t, `safety_test.stack "costs"`, s.guard.Text(s, func() string { return "" }))
	for m, looks := range map[safety.Mode]string{safety.Read: "looked; ", safety.Shared: "looked; ", safety.Write: "", safety.Append: ""} {
		k := opened(t, "Router", nil, s.claim(m, "Costs"))
		does := "job Router (field Costs), scheduled at HERE, " + verbs[m] + " it and "
		assert.Equal(t, `safety_test.stack "costs": `+looks+does+"has not finished", said(s))
		finished(k)
		assert.Equal(t, `safety_test.stack "costs": `+looks+does+"has finished", said(s))
		k.Return()
	}
	var readers []*safety.Ticket
	for range 5 {
		readers = append(readers, opened(t, "R", nil, s.claim(safety.Read, "F")))
	}
	assert.Equal(t, 3, strings.Count(said(s), "job R (field F)"))
	assert.True(t, strings.HasSuffix(said(s), "; 2 more jobs hold it"), said(s))
	completed(readers[0])
	assert.Equal(t, 4, strings.Count(said(s), "job R (field F)"))
	completed(readers[1:]...)
	assert.Equal(t, `safety_test.stack "costs": looked`, said(s))
}

func TestAContainerThatIsNotThereSaysSo(t *testing.T) {
	s := newStack(3)
	copied := copyOf(s)
	if safety.Enabled {
		assert.Equal(t, "safety_test.stack: a copy of its struct", said(copied))
	}
	s.guard.Dispose()
	assert.Equal(t, "safety_test.stack: disposed", said(s))
	var none safety.Guard
	assert.Equal(t, "safety_test.stack: never made", none.Text(new(stack), nil))
	assert.Equal(t, "int: never made", none.Text(7, nil))
	assert.Equal(t, "a container: never made", none.Text(nil, nil))
}

func TestAContainerThatIsLeftToAJobSaysBoth(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(3)
	k := opened(t, "Last", nil, s.claim(safety.Read, "F"))
	s.guard.DisposeAfter(handle{k}, func() {})
	assert.Equal(t, "safety_test.stack: disposed; job Last (field F), scheduled at HERE, reads it and has not finished", said(s))
	completed(k)
	assert.Equal(t, "safety_test.stack: disposed", said(s))
}

func TestAContainerThatIsSplitSaysSo(t *testing.T) {
	lawtest.CheckedOnly(t)
	whole, a, b := newStack(2), newStack(1), newStack(1)
	var d safety.Division
	d.Divide(&whole.guard, []*safety.Guard{&a.guard, &b.guard}, -1)
	assert.Regexp(t, `^safety_test\.stack: split into 2 parts at text_test\.go:\d+$`, whole.guard.Text(whole, func() string { return "looked" }))
	k := opened(t, "J", nil, a.claim(safety.Write, "A"))
	assert.Equal(t, "safety_test.stack: job J (field A), scheduled at HERE, writes it and has not finished", said(a))
	completed(k)
	d.Join()
	assert.Equal(t, "safety_test.stack: joined with the other parts", said(a))
	assert.Equal(t, "safety_test.stack: looked", said(whole))
}

// Whichever job holds the container, and however often that changes: the text refuses no call and
// changes nothing.
func TestTextsBesideTheLedger(t *testing.T) {
	s := newStack(1)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				if text := s.guard.Text(s, nil); !strings.HasPrefix(text, "safety_test.stack") {
					panic(text)
				}
			}
		}
	}()
	for range lawtest.Rounds(4000) {
		for _, m := range modes {
			completed(opened(t, "J", nil, s.claim(m, "F")))
		}
	}
	close(stop)
	<-done
}
