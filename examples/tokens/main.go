// Tokens splits lines into tokens. The first loop appends any number of tokens for each index to an
// array.Stream; the second one reads the row of each line.
package main

import (
	"fmt"
	"strings"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// split appends the tokens of each line to its row.
type split struct {
	Lines  array.Reader[string]
	Tokens array.StreamParallelWriter[string]
}

func (s *split) Execute(i int) {
	for token := range strings.FieldsSeq(s.Lines.At(i)) {
		s.Tokens.Append(i, strings.ToLower(token))
	}
}

// pick writes the longest token of each row.
type pick struct {
	Tokens  array.StreamReader[string]
	Longest array.Writer[string]
}

func (p *pick) Execute(i int) {
	longest := ""
	for _, token := range p.Tokens.At(i) {
		if len(token) > len(longest) {
			longest = token
		}
	}
	p.Longest.Set(i, longest)
}

func main() {
	lines := array.Of([]string{
		"It was the best of times",
		"it was the worst of times",
		"",
		"it was the age of wisdom",
		"it was the age of foolishness",
	}, safety.Named("lines"))
	tokens := array.NewStream[string](safety.Named("tokens"))
	parallelfor.For(lines.Len(), split{
		Lines:  lines.Reader(),
		Tokens: tokens.ParallelWriter(),
	}, (*split).Execute)

	longest := array.New[string](tokens.Len(), safety.Named("longest"))
	parallelfor.For(tokens.Len(), pick{
		Tokens:  tokens.Reader(),
		Longest: longest.Writer(),
	}, (*pick).Execute)
	fmt.Println(tokens.Total(), "tokens in", tokens.Len(), "lines")
	for i, token := range longest.All() {
		fmt.Printf("%d of %d: %q\n", i, tokens.Count(i), token)
	}
}
