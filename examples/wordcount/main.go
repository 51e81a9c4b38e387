// Wordcount prints the most frequent words of files, or of a text of its own. A loop over the lines
// merges the count of each word into a hashmap.Map, without a lock. The map has its words in the
// order in which the sequential loop meets them, so every run prints the same.
package main

import (
	"cmp"
	_ "embed"
	"flag"
	"fmt"
	"log"
	"os"
	"regexp"
	"slices"
	"strings"

	"example.com/custody/array"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

//go:embed text.txt
var text string

// tally counts the words of a line.
type tally struct {
	Lines  array.Reader[string]
	Counts hashmap.ParallelMerger[string, int]
}

func (t *tally) Execute(i int) {
	for _, word := range words.FindAllString(strings.ToLower(t.Lines.At(i)), -1) {
		t.Counts.Merge(word, 1)
	}
}

// words are letters and digits, with apostrophes between them.
var words = regexp.MustCompile(`[\p{L}\p{N}]+('[\p{L}\p{N}]+)*`)

func main() {
	top := flag.Uint("top", 10, "how many words are listed; 0 lists all")
	flag.Parse()
	if flag.NArg() > 0 {
		text = ""
	}
	for _, name := range flag.Args() {
		content, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		text += string(content)
	}
	lines := array.Of(slices.Collect(strings.Lines(text)), safety.Named("lines"))
	counts := hashmap.New[string, int](safety.Named("counts"))
	parallelfor.For(lines.Len(), tally{
		Lines:  lines.Reader(),
		Counts: counts.ParallelMerger(hashmap.Add),
	}, (*tally).Execute)

	type line struct {
		word  string
		count int
	}
	var list []line
	total := 0
	for word, n := range counts.All() {
		list = append(list, line{word, n})
		total += n
	}
	slices.SortFunc(list, func(a, b line) int { return cmp.Or(b.count-a.count, cmp.Compare(a.word, b.word)) })
	fmt.Printf("%d words, %d different\n", total, len(list))
	for _, l := range list[:min(cmp.Or(int(*top), len(list)), len(list))] {
		fmt.Printf("%d  %s\n", l.count, l.word)
	}
}
