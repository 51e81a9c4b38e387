//go:build custody_explore

package explore_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/internal/sched"
)

// letter is handed from a writer to a reader, and back.
type letter struct {
	sent, read atom.Bool
	text       string
}

// races are ways to hand it on, each of which lacks an edge.
var races = map[string]struct {
	write func(*letter)
	read  func(*letter) string
}{
	"published before it is written": {
		func(l *letter) {
			l.sent.Store(true)
			l.text = "whole"
		},
		func(l *letter) string {
			if !l.sent.Load() {
				return "whole"
			}
			return l.text
		},
	},
	"read after it was given back": {
		func(l *letter) {
			l.text = "whole"
			l.sent.Store(true)
			if l.read.Load() {
				l.text = "another"
			}
		},
		func(l *letter) string {
			if !l.sent.Load() {
				return "whole"
			}
			l.read.Store(true)
			return l.text
		},
	},
	"written in two parts": {
		func(l *letter) {
			l.text = "half"
			atom.Writes(&l.text)
			l.text = "whole"
		},
		func(l *letter) string {
			if l.text == "" {
				return "whole"
			}
			return l.text
		},
	},
}

// With Plain a race has a wrong result, in builds without the race detector. Without Plain, what
// follows an atomic operation cannot be told from what precedes it.
func TestPlainAccessesAreTakenApart(t *testing.T) {
	if sched.Race {
		t.Skip("they are races")
	}
	for name, way := range races {
		setup := func(p *explore.Program) {
			l, got := &letter{}, ""
			p.Go("writer", func() { way.write(l) })
			p.Go("reader", func() { got = way.read(l) })
			p.Judge(func() error {
				if got != "whole" {
					return fmt.Errorf("a letter was read that was %q", got)
				}
				return nil
			})
		}
		f, _ := explore.Find(explore.Options{}, setup, explore.Exhaustive(3, 1000))
		require.NoError(t, errorOf(f), name)
		f, _ = explore.Find(explore.Options{Plain: true}, setup, explore.Exhaustive(2, 1000))
		require.NotNil(t, f, name)
		require.Equal(t, sched.Wrong, f.Failure.Kind, name)
	}
}
