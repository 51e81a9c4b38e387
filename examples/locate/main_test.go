package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/examples/internal/program/programtest"
	"example.com/custody/parallelfor"
)

func TestLocate(t *testing.T) {
	programtest.Program{Name: "locate", Run: run}.Simulates(t,
		[]string{"-n", "50", "-steps", "2"}, "places in 50 records\n",
		[]string{"-workers", "1"}, []string{"-workers", "8"}, []string{"-chunk", "3"})
}

// What is wrong with a record ends the search behind the rows of those before it, in every way.
func TestABadRecordEndsTheSearch(t *testing.T) {
	motifs := []motif{{"m", []byte("AA")}}
	for _, c := range []struct{ file, want, err string }{
		{">a x\nCAA\nA\n>b\nTT\n", "a\tm\tAA\t+\t2\t3\tAA\na\tm\tAA\t+\t3\t4\tAA\nb\tm\tAA\t-\t1\t2\tAA\n", ""},
		{">a\nAA\n>b\nAxA\n>c\nAA\n", "a\tm\tAA\t+\t1\t2\tAA\n", `record b: 'x' at 2 is no base`},
		{"AA\n>a\nAA\n", "", "bases without a name"},
		{"", "", ""},
	} {
		for workers := 1; workers <= 8; workers++ {
			var plain, hand, jobs bytes.Buffer
			errs := []error{
				oneByOne(strings.NewReader(c.file), motifs, &plain),
				byHand(strings.NewReader(c.file), motifs, &hand, workers),
				locate(strings.NewReader(c.file), motifs, &jobs, parallelfor.Workers(workers)),
			}
			for i, got := range []string{plain.String(), hand.String(), jobs.String()} {
				require.Equal(t, header+c.want, got)
				if c.err == "" {
					require.NoError(t, errs[i])
				} else {
					require.EqualError(t, errs[i], c.err)
				}
			}
		}
	}
}
