package hashmap

import (
	"fmt"
	"hash/maphash"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
)

// deepHasher moves the stack of its caller while a key is hashed and compared, and collects
// garbage.
type deepHasher struct{}

func (deepHasher) Hash(h *maphash.Hash, k [2]string) {
	deepen(200)
	h.WriteString(k[0])
}

func (deepHasher) Equal(a, b [2]string) bool {
	deepen(200)
	return a == b
}

//go:noinline
func deepen(n int) (sum byte) {
	var room [512]byte
	if n == 0 {
		runtime.GC()
		return 0
	}
	room[n] = byte(n)
	return deepen(n-1) + room[n/2]
}

// A hidden reference moves with the stack.
func TestHiddenReferencesMoveWithTheStack(t *testing.T) {
	done := make(chan int)
	for range 20 {
		go func() { // on a small stack
			var n int
			p := hidden(ref(&n))
			for range 3 {
				deepen(300)
				*(*int)(p)++
			}
			runtime.KeepAlive(&n)
			done <- n
		}()
		require.Equal(t, 3, <-done)
	}
}

// Keys and values that a map was given are whole, wherever the caller had them: on a stack that
// moves, or in memory that only a key points to.
func TestKeysAndValuesOnMovingStacks(t *testing.T) {
	const n = 8
	text := func(i int) string { return fmt.Sprint("text ", i) }
	key := func(i int) [2]string { return [2]string{text(i), text(-i)} }
	words, values := NewWith[[2]string, int](deepHasher{}), NewWith[[2]string, [2]any](deepHasher{})
	for i := range n {
		done := make(chan bool)
		go func() { // on a small stack
			defer close(done)
			words.Store(key(i), i+1)
			words.Swap(key(i), i)
			values.Store(key(i), [2]any{text(i), i})
			values.LoadOrStore(key(i+n), [2]any{text(i), i})
			values.CompareAndSwap(key(i), [2]any{text(i), i}, [2]any{text(i), -i})
			values.Compute(key(i+2*n), func([2]any, bool) ([2]any, Op) { return [2]any{text(i), i}, Update })
			values.Store(key(i+3*n), [2]any{text(i), i})
			values.Delete(key(i + 3*n))
		}()
		<-done
	}
	deepen(10)
	require.Equal(t, n, words.Len())
	require.Equal(t, 3*n, values.Len())
	for i := range n {
		v, ok := words.Load(key(i))
		require.True(t, ok)
		require.Equal(t, i, v)
		for at, want := range []int{-i, i, i} {
			v, ok := values.Load(key(i + at*n))
			require.True(t, ok)
			require.Equal(t, [2]any{text(i), want}, v)
		}
	}
	for k, v := range values.All() {
		require.Contains(t, fmt.Sprint(k, v), "text")
	}
}

// A value in a side table is looked up without an allocation.
func TestLoadOfAValueThatIsComputedAllocatesNothing(t *testing.T) {
	if atom.Race || atom.Explored {
		t.Skip("these builds allocate")
	}
	m := New[int, int]()
	m.Store(1, 1)
	m.Compute(1, func(old int, _ bool) (int, Op) {
		require.Zero(t, testing.AllocsPerRun(100, func() { m.Load(1) }))
		return old, Keep
	})
}

// What keys and values point to is kept, even if it was on the stack of the caller.
func TestAMapKeepsWhatKeysPointTo(t *testing.T) {
	m, words := New[string, [1]any](), New[string, int]()
	for i := range 100 {
		var buf [16]byte
		b := strconv.AppendInt(buf[:0], int64(i), 10)
		m.Store(string(b), [1]any{string(b)})
		m.Swap(string(b), [1]any{string(b)})
		words.Store(string(b), i)
		words.LoadOrStore(string(b)+"+", i)
		b[0] = 'x'
	}
	deepen(100)
	for i := range 100 {
		k := strconv.Itoa(i)
		v, ok := m.Load(k)
		require.True(t, ok)
		require.Equal(t, k, v[0])
		for _, k := range []string{k, k + "+"} {
			n, _ := words.Load(k)
			require.Equal(t, i, n)
		}
	}
}

// What is put in is copied: a variable that it came from may change.
func TestAMapKeepsCopies(t *testing.T) {
	m := New[any, any]()
	for i := range 100 {
		var k, v any = fmt.Sprint(i), fmt.Sprint(-i)
		switch i % 4 {
		case 0:
			m.Store(k, v)
		case 1:
			m.Swap(k, v)
		case 2:
			m.LoadOrStore(k, v)
		case 3:
			m.Compute(k, func(any, bool) (any, Op) { return v, Update })
		}
		k, v = nil, nil
		_, _ = k, v
	}
	runtime.GC()
	for i := range 100 {
		v, ok := m.Load(fmt.Sprint(i))
		require.True(t, ok, i)
		require.Equal(t, fmt.Sprint(-i), v)
	}
}
