package grep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"example.com/custody/examples/codeindex/internal/brokenfs"
	"example.com/custody/parallelfor"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// goneAll fails when a goroutine of a pipeline is still there.
func goneAll(t *testing.T) {
	t.Helper()
	all := make([]byte, 1<<20)
	all = all[:runtime.Stack(all, true)]
	for _, name := range []string{"grep.(*pipeline)", "grep.(*stages)", "grep.(*job)"} {
		require.NotContains(t, string(all), name)
	}
}

// opening is a file system that calls a func before it opens the n-th file, from 1 on.
type opening struct {
	fstest.MapFS
	opened *atomic.Int64
	call   func(n int64)
}

func (o opening) Open(name string) (fs.File, error) {
	o.call(o.opened.Add(1))
	return o.MapFS.Open(name)
}

func (o opening) Stat(name string) (fs.FileInfo, error)      { return o.MapFS.Stat(name) }
func (o opening) ReadDir(name string) ([]fs.DirEntry, error) { return o.MapFS.ReadDir(name) }

var tight = bounds{ahead: 4, batch: 5, batches: 2}

func TestAnEndedContextEndsTheSearchAndWhatWasPrintedIsTheBeginning(t *testing.T) {
	cause := errors.New("enough")
	q := inTree(odd(10))
	q.Pattern = regexp.MustCompile("func|return")
	whole, _ := printed(t, func(out *Printer) error { return Sequential(context.Background(), q, out) })
	for _, workers := range []int{0, 1, 2, 5} { // 0 is the plain loop
		for _, n := range []int64{1, 2, 7, 30, 60} {
			ctx, cancel := context.WithCancelCause(context.Background())
			q.Source.FS = opening{odd(10), new(atomic.Int64), func(k int64) {
				if k == n {
					cancel(cause)
				}
			}}
			var out bytes.Buffer
			p := NewPrinter(&out, &out, "tree/")
			var err error
			if workers == 0 {
				err = Sequential(ctx, q, p)
			} else {
				err = parallel(ctx, q, p, tight, []parallelfor.Option{parallelfor.Workers(workers), parallelfor.Batch(1)})
			}
			require.ErrorIs(t, err, cause, "workers %d, at file %d", workers, n)
			require.True(t, strings.HasPrefix(whole, out.String()), "workers %d, at file %d", workers, n)
			require.Less(t, out.Len(), len(whole))
			goneAll(t)
		}
	}
}

func TestAContextThatHasEndedBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	q := inTree(odd(10))
	q.Pattern = regexp.MustCompile("")
	for name, search := range both {
		require.ErrorIs(t, search(ctx, q, NewPrinter(io.Discard, io.Discard, "")), context.Canceled, name)
	}
	goneAll(t)
}

// shortPipe takes only so many bytes.
type shortPipe struct {
	room int
	got  bytes.Buffer
}

var errPipe = errors.New("broken pipe")

func (s *shortPipe) Write(p []byte) (int, error) {
	n, _ := s.got.Write(p[:min(len(p), s.room)])
	s.room -= n
	if n < len(p) {
		return n, errPipe
	}
	return n, nil
}

func TestAnOutputThatFailsEndsTheSearch(t *testing.T) {
	q := inTree(worst())
	q.Pattern = regexp.MustCompile("")
	var whole, problems bytes.Buffer
	require.NoError(t, Sequential(context.Background(), q, NewPrinter(&whole, &problems, "tree/")))
	require.Greater(t, whole.Len(), 200000)
	for name, search := range both {
		for _, room := range []int{0, 1, 100, 100000, 200000} {
			pipe := &shortPipe{room: room}
			require.Same(t, errPipe, search(context.Background(), q, NewPrinter(pipe, io.Discard, "tree/")), "%s: %d", name, room)
			require.Equal(t, whole.String()[:room], pipe.got.String(), "%s: %d", name, room)

			pipe.room = 0
			require.Same(t, errPipe, search(context.Background(), q, NewPrinter(io.Discard, pipe, "tree/")), "%s: %d", name, room)
			goneAll(t)
		}
	}
}

func TestATreeWithoutARoot(t *testing.T) {
	for name, search := range both {
		q := inTree(brokenfs.FS{MapFS: fstest.MapFS{}})
		q.Source.FS = missing{}
		q.Pattern = regexp.MustCompile("")
		require.ErrorIs(t, search(context.Background(), q, NewPrinter(io.Discard, io.Discard, "")), fs.ErrNotExist, name)
		goneAll(t)
	}
}

// missing is a file system with nothing in it, not even a root.
type missing struct{}

func (missing) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// counting is a file system that counts the directories that were listed.
type counting struct {
	opening
	listed *atomic.Int64
}

func (c counting) ReadDir(name string) ([]fs.DirEntry, error) {
	c.listed.Add(1)
	return c.opening.ReadDir(name)
}

// oneEach returns files that are each in a directory of its own, which is listed when the walker gets there.
func oneEach(n int) fstest.MapFS {
	m := fstest.MapFS{}
	for k := range n {
		m[fmt.Sprintf("d%03d/f", k)] = &fstest.MapFile{Data: []byte("x\n")}
	}
	return m
}

// waitUntil looks again and again, and then some more times.
func waitUntil(ready func() bool) {
	for !ready() {
		runtime.Gosched()
	}
	for range 200 {
		runtime.Gosched()
	}
}

func TestTheWaitOfTheWalkerEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var listed atomic.Int64
	q := inTree(counting{opening{oneEach(20), new(atomic.Int64), func(int64) {
		// One file is being searched, one is in the ring, the third waits; and the root was listed.
		waitUntil(func() bool { return listed.Load() == 4 })
		cancel()
	}}, &listed})
	q.Pattern = regexp.MustCompile("x")
	require.ErrorIs(t, parallel(ctx, q, NewPrinter(io.Discard, io.Discard, ""), bounds{1, 1, 1}, nil), context.Canceled)
	assert.EqualValues(t, 4, listed.Load())
	goneAll(t)
}

func TestTheWaitOfTheSearchEndsWhenThePrinterFails(t *testing.T) {
	var opened atomic.Int64
	m := oneEach(20)
	m["d000/f"].Data = bytes.Repeat([]byte("x"), 1<<20) // more than a buffer holds
	q := inTree(opening{m, &opened, func(int64) {}})
	q.Pattern = regexp.MustCompile("x")
	// The first file is being printed, with the only queue, when the second is to be searched.
	failing := writer(func([]byte) (int, error) {
		waitUntil(func() bool { return true })
		return 0, errPipe
	})
	require.Same(t, errPipe, parallel(context.Background(), q, NewPrinter(failing, io.Discard, ""), bounds{1, 1, 1}, nil))
	assert.EqualValues(t, 1, opened.Load())
	goneAll(t)
}

// writer is a func as an io.Writer.
type writer func(p []byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

func TestTheWalkerWaitsForTheSearch(t *testing.T) {
	const n = 500
	m := oneEach(n)
	var listed atomic.Int64
	opened := new(atomic.Int64)
	// Files are opened after they were taken; behind them are those in the ring, and the one that waits. The root
	// is listed too.
	most := func(opened int64) int64 { return opened + int64(tight.batch+tight.ahead) + 1 + 1 }
	q := inTree(counting{opening{m, opened, func(k int64) {
		// The walker gets so far without the search, and is given the chance to get farther than it may.
		waitUntil(func() bool { return k > 1 || listed.Load() >= int64(tight.ahead) })
		if got := listed.Load(); got > most(opened.Load()) {
			t.Errorf("at file %d of the search the walker has listed %d directories, more than %d", k, got, most(k))
		}
	}}, &listed})
	q.Pattern = regexp.MustCompile("x")
	var out bytes.Buffer
	require.NoError(t, parallel(context.Background(), q, NewPrinter(&out, &out, ""), tight, []parallelfor.Option{parallelfor.Workers(2)}))
	assert.Equal(t, n, bytes.Count(out.Bytes(), []byte("\n")))
	assert.EqualValues(t, n+1, listed.Load())
}
