package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/examples/internal/program"
	"example.com/custody/examples/internal/program/programtest"
	"example.com/custody/parallelfor"
)

var wordcount = programtest.Program{Name: "wordcount", Run: run}

func TestWordsAreLettersAndDigitsWithApostrophesBetween(t *testing.T) {
	for text, want := range map[string][]string{
		"":                          nil,
		" .,'' ":                    nil,
		"One two,three\nONE":        {"one", "two", "three", "one"},
		"don't 'quoted' dogs' a''b": {"don't", "quoted", "dogs", "a", "b"},
		"don’t ’tis rock’n’roll":    {"don’t", "tis", "rock’n’roll"},
		"Größe ÉTÉ 世界 e\u0301":      {"größe", "été", "世界", "e\u0301"},
		"x-1 2nd 3.5":               {"x", "1", "2nd", "3", "5"},
		"a\xffb \xe4":               {"a", "b"},
	} {
		assert.Equal(t, want, slices.Collect(wordsOf(text)), "%q", text)
	}
	for range wordsOf("one two") { // may be left early
		break
	}
}

func TestPiecesAreTheTextAndEndBetweenWords(t *testing.T) {
	for _, text := range []string{"", " ", "one", strings.Repeat("x", 50), own, "a b c d e f g", "one  two " + strings.Repeat("y", 30) + " z"} {
		for _, size := range []int{1, 5, 40, 1000} {
			pieces := cut(nil, text, size)
			assert.Equal(t, text, strings.Join(pieces, ""))
			var words []string
			for _, p := range pieces {
				assert.NotEmpty(t, p)
				words = slices.AppendSeq(words, wordsOf(p))
			}
			assert.Equal(t, slices.Collect(wordsOf(text)), words, "%q %d", text, size)
		}
	}
}

// generated is a text in which some words are frequent and most are not.
func generated(words int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for range words {
		fmt.Fprintf(&b, "w%d ", r.IntN(1+r.IntN(3000)))
	}
	return b.String()
}

func TestParallelEqualsSequentialAtAnyWorkersAndBatch(t *testing.T) {
	for _, text := range []string{"", "one", own, generated(20_000)} {
		pieces := cut(nil, text, 200)
		want := countPlainly(pieces)
		for workers := 1; workers <= 8; workers++ {
			for _, batch := range []int{0, 1, 3, 1000} {
				got := count(pieces, parallelfor.Workers(workers), parallelfor.Batch(batch))
				require.NoError(t, same(want, got), "workers %d batch %d", workers, batch)
			}
		}
		require.NoError(t, same(want, count(pieces, parallelfor.Sequential())))
	}
}

func TestSameSaysWhatDiffers(t *testing.T) {
	ab := counted{{"a", 2}, {"b", 1}}
	assert.NoError(t, same(ab, counted{{"a", 2}, {"b", 1}}))
	assert.EqualError(t, same(ab, counted{{"b", 1}, {"a", 2}}), `word 0: "a" 2 times, and "b" 1 times`)
	assert.EqualError(t, same(ab, counted{{"a", 2}, {"b", 3}}), `word 1: "b" 1 times, and "b" 3 times`)
	assert.EqualError(t, same(ab, counted{{"a", 2}}), "2 words and 1")
}

func TestRunListsTheMostFrequentInEveryWay(t *testing.T) {
	name := filepath.Join(t.TempDir(), "text")
	require.NoError(t, os.WriteFile(name, []byte("b a c b A\nd b"), 0o600))
	want := "7 words, 4 different ones\n\n  3  b\n  2  a\n  1  c\n\nsequential  "
	for _, args := range [][]string{{"-verify"}, {"-sequential"}, {"-workers", "5", "-batch", "1", "-verify"}} {
		out := wordcount.Ran(t, append(args, "-top", "3", "-repeat", "1", name)...)
		assert.True(t, strings.HasPrefix(out, want), out)
		assert.Equal(t, slices.Contains(args, "-verify"), strings.Contains(out, "\nverified: "))
		assert.Equal(t, args[0] != "-sequential", regexp.MustCompile(`(?m)^parallel .* times as fast \(medians of 1\)$`).MatchString(out))
	}
}

func TestRunWithoutFilesCountsItsOwnText(t *testing.T) {
	assert.Regexp(t, `^[0-9]+ words, [0-9]+ different ones\n\n +[0-9]+  the\n`, wordcount.Ran(t, "-verify", "-top", "2"))
}

func TestWhatCannotBeReadIsToldAndTheRestCounted(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "text")
	require.NoError(t, os.WriteFile(name, []byte("one"), 0o600))
	stdout, stderr := wordcount.Exits(t, program.Failed, filepath.Join(dir, "missing"), name, dir)
	assert.Equal(t, 2, strings.Count(stderr, "wordcount: "))
	assert.True(t, strings.HasPrefix(stdout, "1 words, 1 different ones\n"))
}

func TestExitStatus(t *testing.T) {
	wordcount.Says(t, 0, "-top", "-h")
	wordcount.Says(t, program.Usage, "-what", "-what")
	wordcount.Says(t, program.Usage, "wordcount: -top -1", "-top", "-1")
	wordcount.Says(t, program.Usage, "wordcount: -workers 0: at least 1 is needed", "-workers", "0")
	wordcount.Says(t, program.Usage, "wordcount: -batch -1", "-batch", "-1")
	wordcount.Says(t, program.Usage, "wordcount: -repeat 0: at least 1 is needed", "-repeat", "0")
	wordcount.Says(t, program.Usage, "wordcount: -verify compares two loops", "-sequential", "-verify")
	wordcount.FailsWhenFull(t, program.Failed)
}
