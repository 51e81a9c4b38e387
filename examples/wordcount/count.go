package main

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"example.com/custody/array"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// counter counts the words of the pieces of a batch.
type counter struct {
	Pieces array.Reader[string]
	Counts hashmap.ParallelMerger[string, int]
}

// ExecuteBatch counts by itself first, and merges its counts then: there are far fewer of them than words. It merges them
// in the order in which the words first occur, so that the map gets new words in the order of the sequential loop.
func (j *counter) ExecuteBatch(begin, end int) {
	t := tallies.Get().(*tally)
	defer t.release()
	for i := begin; i < end; i++ {
		t.add(j.Pieces.At(i))
	}
	for _, c := range t.list {
		j.Counts.Merge(c.word, c.count)
	}
}

// count counts the words of all pieces in a parallel loop. The words are in the order in which they first occur, at any number
// of workers.
func count(pieces []string, opts ...parallelfor.Option) (list counted) {
	text := array.Of(pieces, safety.Named("text"))
	counts := hashmap.New[string, int](safety.Named("counts"))
	add := func(a, b int) int { return a + b }
	parallelfor.ForBatch(text.Len(), counter{Pieces: text.Reader(), Counts: counts.ParallelMerger(add)}, (*counter).ExecuteBatch, opts...)
	for word, n := range counts.All() {
		list = append(list, wordCount{word, n})
	}
	return list
}

// countPlainly counts with Go's map.
func countPlainly(pieces []string) counted {
	t := tally{numbers: map[string]int{}}
	for _, piece := range pieces {
		t.add(piece)
	}
	return t.list
}

// tally counts words with Go's map, and has them in the order in which they first occur.
type tally struct {
	numbers map[string]int
	list    counted
}

// tallies are kept from batch to batch, whoever uses them.
var tallies = sync.Pool{New: func() any { return &tally{numbers: map[string]int{}} }}

func (t *tally) add(text string) {
	for word := range wordsOf(text) {
		k, known := t.numbers[word]
		if !known {
			k = len(t.list)
			t.numbers[word] = k
			t.list = append(t.list, wordCount{word: word})
		}
		t.list[k].count++
	}
}

// release empties t, so that it keeps no text alive, and gives it back.
func (t *tally) release() {
	clear(t.numbers)
	clear(t.list)
	t.list = t.list[:0]
	tallies.Put(t)
}

// counted are words and how often each occurs.
type counted []wordCount

type wordCount struct {
	word  string
	count int
}

// first returns the n most frequent words, by falling counts, and by word where these are equal; all with n 0.
func (c counted) first(n int) counted {
	if n == 0 {
		n = len(c)
	}
	sorted := slices.SortedFunc(slices.Values(c), func(a, b wordCount) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.word, b.word))
	})
	return sorted[:min(n, len(sorted))]
}

// same returns nil if two counts are the same, and in the same order.
func same(want, got counted) error {
	for k := range min(len(want), len(got)) {
		if want[k] != got[k] {
			return fmt.Errorf("word %d: %q %d times, and %q %d times", k, want[k].word, want[k].count, got[k].word, got[k].count)
		}
	}
	if len(want) != len(got) {
		return fmt.Errorf("%d words and %d", len(want), len(got))
	}
	return nil
}
