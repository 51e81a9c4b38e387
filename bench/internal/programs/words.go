package programs

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/puzpuzpuz/xsync/v4"

	"example.com/custody/array"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
)

const merged = "maps merged by hand"

// words counts the words of texts.
func words(n int) program {
	texts, inAll := someTexts(n)
	digest := func(counts *hashmap.Map[string, int]) uint64 { return set(listed(counts)) }
	return program{"words of 4k texts counted", inAll, 1, merged, []way{
		by(ours, texts, countWords, digest),
		by("xsync.Map", texts, countWordsXsync, set),
		hand(merged, texts, countWordsByHand, set),
	}}
}

// wordsInOrder counts them in the order in which they first appear.
func wordsInOrder(n int) program {
	texts, inAll := someTexts(n)
	return program{"words of 4k texts counted, in order of appearance", inAll, 1.1, merged, []way{
		by(ours, texts, func(texts []string) []wordCount {
			return listed(countWords(texts))
		}, sequence),
		by("xsync.Map, sorted", texts, countWordsInOrderXsync, sequence),
		hand(merged, texts, countWordsByHand, sequence),
	}}
}

type wordCount struct {
	word string
	n    int
}

// counting is a job that counts the words of a text.
type counting struct {
	Texts  array.Reader[string]
	Counts hashmap.ParallelMerger[string, int]
}

func (c *counting) Execute(i int) {
	for word := range strings.FieldsSeq(c.Texts.At(i)) {
		c.Counts.Merge(word, 1)
	}
}

func countWords(texts []string) *hashmap.Map[string, int] {
	counts := hashmap.New[string, int]()
	parallelfor.For(len(texts), counting{
		Texts:  array.Of(texts).Reader(),
		Counts: counts.ParallelMerger(hashmap.Add),
	}, (*counting).Execute)
	return counts
}

func listed(counts *hashmap.Map[string, int]) (list []wordCount) {
	for word, n := range counts.All() {
		list = append(list, wordCount{word, n})
	}
	return list
}

func countWordsXsync(texts []string) (list []wordCount) {
	counts := xsync.NewMap[string, *atomic.Int64]()
	rows.Parts(len(texts), func(_, begin, end int) {
		for _, text := range texts[begin:end] {
			for word := range strings.FieldsSeq(text) {
				n, _ := counts.LoadOrCompute(word, func() (*atomic.Int64, bool) {
					return new(atomic.Int64), false
				})
				n.Add(1)
			}
		}
	})
	for word, n := range counts.All() {
		list = append(list, wordCount{word, int(n.Load())})
	}
	return list
}

// countWordsInOrderXsync counts words, each with the first place where it appears.
func countWordsInOrderXsync(texts []string) (list []wordCount) {
	type counter struct{ n, first atomic.Int64 }
	counts := xsync.NewMap[string, *counter]()
	rows.Parts(len(texts), func(_, begin, end int) {
		for i, text := range texts[begin:end] {
			place := int64(begin+i) << 32
			for word := range strings.FieldsSeq(text) {
				c, _ := counts.LoadOrCompute(word, func() (*counter, bool) {
					c := new(counter)
					c.first.Store(place)
					return c, false
				})
				c.n.Add(1)
				for first := c.first.Load(); place < first && !c.first.CompareAndSwap(first, place); {
					first = c.first.Load()
				}
				place++
			}
		}
	})
	type placed struct {
		wordCount
		first int64
	}
	var all []placed
	for word, c := range counts.All() {
		all = append(all, placed{wordCount{word, int(c.n.Load())}, c.first.Load()})
	}
	slices.SortFunc(all, func(a, b placed) int { return cmp.Compare(a.first, b.first) })
	for _, p := range all {
		list = append(list, p.wordCount)
	}
	return list
}

// countWordsByHand counts the words of a part of the texts on each goroutine, and then adds up the
// counts of all parts. The words stay in the order in which they first appear.
func countWordsByHand(texts []string) (all []wordCount) {
	own := make([][]wordCount, procs())
	rows.Parts(len(texts), func(p, begin, end int) {
		places := map[string]int{}
		for _, text := range texts[begin:end] {
			for word := range strings.FieldsSeq(text) {
				own[p] = addWord(own[p], places, word, 1)
			}
		}
	})
	places := map[string]int{}
	for _, list := range own {
		for _, c := range list {
			all = addWord(all, places, c.word, c.n)
		}
	}
	return all
}

func addWord(list []wordCount, places map[string]int, word string, n int) []wordCount {
	if at, ok := places[word]; ok {
		list[at].n += n
		return list
	}
	places[word] = len(list)
	return append(list, wordCount{word, n})
}

// someTexts returns texts of 50 to 149 words, and how many words these are in all. Some of the
// 30,000 words are frequent, and these are short.
func someTexts(n int) (texts []string, inAll int) {
	random := rand.New(rand.NewPCG(20, 21))
	often := rand.NewZipf(random, 1.1, 4, 30_000-1)
	for range n {
		var text strings.Builder
		length := 50 + random.IntN(100)
		for range length {
			for i := often.Uint64() + 1; i > 0; i /= 80 {
				text.WriteByte("bcdfghjklmnprstv"[i%80%16])
				text.WriteByte("aeiou"[i%80/16])
			}
			text.WriteByte(' ')
		}
		texts, inAll = append(texts, text.String()), inAll+length
	}
	return texts, inAll
}
