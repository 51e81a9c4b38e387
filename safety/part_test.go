package safety_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// A part of a container is called what the whole is called, and the whole hears of its phases:
// after it when they open, before it when they are sealed.
func TestPartsOfContainers(t *testing.T) {
	d := new(diary)
	whole := newPhased(d, "whole")
	part := &phased{diary: d}
	part.guard.Init(part, 0, safety.Named("part"), safety.PartOf(whole))
	plain := newStack(1, safety.PartOf(whole), safety.Named("plain"))
	unheard := newStack(1, safety.PartOf(new(stack)))
	var lent []bool
	whole.onOpen = func(p *safety.Phase) { lent = append(lent, p.Lent) }

	k := opened(t, "job", nil, part.claim(safety.Write), plain.claim(safety.Append, "Plain"), unheard.claim(safety.Read, "Unheard"))
	completed(k)
	require.Equal(t, []bool{false, false}, lent)
	require.Contains(t, d.entries, `return "part" true`, "its own phases are the part's still")
	require.Equal(t, []string{`open "part" Write`, `open "whole" Write`, `open "whole" Append`, `seal "whole" kept 1`, `seal "part" kept 1`, `seal "whole" kept 1`}, d.entries[:6])
	require.Equal(t, `safety_test.phased "part"`, part.guard.Container())
	require.Equal(t, `safety_test.phased "plain"`, plain.guard.Container())
	require.Equal(t, `safety_test.stack`, unheard.guard.Container())
}

// A container that another one makes was made where that one says.
func TestWhereAContainerWasMade(t *testing.T) {
	lawtest.CheckedOnly(t)
	site := safety.Caller(0)
	s := newStack(1, safety.MadeAt(site), safety.Named("made"))
	k := opened(t, "job", nil, s.claim(safety.Write, "Made"))
	v := lawtest.Violation(t, func() error { s.top(); return nil })
	require.Equal(t, site.String(), v.Made)
	completed(k)
}
