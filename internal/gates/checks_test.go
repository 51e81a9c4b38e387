package gates

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// stranger uses containers of every package that has generic ones, and does not import package
// safety itself. The compiler hands on only such bodies as it inlined in the packages that a
// program imports.
const stranger = `package main

import (
	"fmt"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/queue"
)

func main() {
	a, c, s := array.New[int](10), counter.New(), counter.NewSum[int]()
	q, r, p := queue.New[int](), queue.NewRing[int](4), queue.NewSPSC[int](4)
	for i := range a.Len() {
		a.Set(i, i)
		c.Add(int64(a.At(i)))
		s.Add(a.At(i))
		q.Enqueue(a.At(i))
		r.TryEnqueue(i)
		p.Producer().TryEnqueue(i)
	}
	m := hashmap.New[string, int]()
	m.Store("a", m.Len())
	_, _ = m.Load("a")
	x, _ := q.TryDequeue()
	y, _ := r.TryDequeue()
	z, _ := p.Consumer().TryDequeue()
	u, _ := q.Peek()
	v, _ := r.Peek()
	in, out := make([]int, 2), make([]int, 2)
	fmt.Println(x, y, z, u, v, q.Len(), r.Len(), q.EnqueueAll(in), q.DequeueInto(out), r.EnqueueAll(in), r.DequeueInto(out))
	fmt.Println(c.Value(), s.Value())
}
`

// TestChecksAreNoCallsForStrangers: the check of an operation is two instructions, for users of
// generic containers too, whose code is compiled with theirs, in a build that may never have seen
// the check.
func TestChecksAreNoCallsForStrangers(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	needsGo(t)
	dir := newModule(t, map[string]string{"main.go": stranger})
	env := []string{"GOFLAGS=-mod=mod -buildvcs=false " + os.Getenv("CUSTODY_GOFLAGS"), "GOPROXY=off"}
	binary := buildIn(t, dir, env)
	text := goTool(t, dir, env, "tool", "objdump", "-s", regexp.QuoteMeta(modulePath())+`/(array|counter|hashmap|queue)\.|^main\.`, binary)
	for _, f := range []string{"queue.(*Ring[", "queue.(*Queue[", "queue.(*Producer[", "hashmap.(*Map[", "main.main("} {
		require.Contains(t, text, f, "the program has no such function")
	}
	require.Empty(t, checksCalled(text))
}

func TestCalledChecksAreFound(t *testing.T) {
	require.Equal(t, []string{"queue.(*Ring[go.shape.int]).put calls CheckShared"}, checksCalled(`
TEXT example.com/custody/queue.(*Ring[go.shape.int]).put(SB) /queue/ring.go
  ring.go:176		0x4a1b2c		e8d0fbffff		CALL example.com/custody/safety.(*Guard).CheckShared(SB)
  ring.go:176		0x4a1b2c		e8d0fbffff		CALL example.com/custody/safety.(*Guard).refuse(SB)
`))
}

var checkCalled = regexp.MustCompile(`safety\.\(\*Guard\)\.(Check(?:Read|Write|Look|Shared|Append|Exists))\b`)

// checksCalled returns which functions of a disassembly call a check.
func checksCalled(text string) (found []string) {
	in := ""
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "TEXT "); ok {
			in, _, _ = strings.Cut(strings.TrimPrefix(name, modulePath()+"/"), "(SB)")
		} else if m := checkCalled.FindStringSubmatch(line); m != nil {
			found = append(found, in+" calls "+m[1])
		}
	}
	return found
}
