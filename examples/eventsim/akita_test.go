package main

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
)

// The hashes are of the nodes and the events to come that the SerialEngine of
// github.com/sarchlab/akita (commit 0cf1f9ac8447, of v5) leaves in a network drawn with the same
// seed. Each node is a handler there. The events are in the order in which the engine takes them.
func TestAStateIsThatOfAkitasSerialEngine(t *testing.T) {
	sum := func(state []any) string { return fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, state))) }
	for _, c := range []struct {
		nodes, steps int
		seed         uint64
		want         string
	}{
		{100, 40, 1, "057ccdec6bd28c3ac28b36e63725ba8c31a40baa397ea635e0ae8ac950af0c27"},
		{100, 40, 2, "bfa1e1c5aadf9da53a5205138e6c6902f7294b0f15eedf61882501b167d6e69f"},
		{300, 40, 3, "80ef1c0b55cbf9e4a37654b3d4f017575574d993ea8f455be16405e854313cff"},
	} {
		plain := draw(c.nodes, c.seed)
		for range c.steps {
			plain.step()
		}
		require.Equal(t, c.want, sum(plain.state()))
		for workers := 1; workers <= 8; workers++ {
			jobs := newWorld(draw(c.nodes, c.seed), parallelfor.Workers(workers))
			for range c.steps {
				jobs.step()
			}
			require.Equal(t, c.want, sum(jobs.state()), "%d workers", workers)
		}
	}
}
