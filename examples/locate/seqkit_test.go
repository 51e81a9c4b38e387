package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
)

// located returns the table of a file. The loop, the goroutines and 1 to 8 workers write the same.
func located(t *testing.T, file []byte, motifs ...motif) string {
	t.Helper()
	var plain bytes.Buffer
	require.NoError(t, oneByOne(bytes.NewReader(file), motifs, &plain))
	for workers := 1; workers <= 8; workers++ {
		var hand, jobs bytes.Buffer
		require.NoError(t, byHand(bytes.NewReader(file), motifs, &hand, workers))
		require.NoError(t, locate(bytes.NewReader(file), motifs, &jobs, parallelfor.Workers(workers)))
		require.Equal(t, plain.String(), hand.String())
		require.Equal(t, plain.String(), jobs.String())
	}
	return plain.String()
}

func sum(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

// The hashes are of what seqkit writes (github.com/shenwei356/seqkit, commit 9bd1dbdc337b, of
// v2.14.0) with these arguments: locate -j 1 -t dna -f motif.fa drawn.fa.
func TestATableIsThatOfSeqkit(t *testing.T) {
	file := draw(rand.New(rand.NewPCG(1, 1)), 50)
	for i, want := range []string{
		"81453dd107a5bdec7a6443a48c4f9b510274fbe10dafdabc309d1b0e5e9516e4",
		"971cacd7235659dc9ef41e2aeb7683ca94ad2c864ad14de53f7f5f687b7e0976",
		"90d1fddf80d8f688b4a380cf6a8bae63eba7cfd542c00f07cb89617f6f75ef6b",
	} {
		require.Equal(t, want, sum(located(t, file, motifs[i])), motifs[i].name)
	}
}

// The order of the motifs differs between runs of seqkit. The hash is of its sorted lines.
func TestLinesOfSeveralMotifsAreThoseOfSeqkit(t *testing.T) {
	lines := strings.SplitAfter(located(t, draw(rand.New(rand.NewPCG(1, 1)), 50), motifs...), "\n")
	slices.Sort(lines)
	require.Equal(t, "8ef88aa3b254c37a9803917f986d96d2fa42008ed92784742a0585bdb8c1caf0", sum(strings.Join(lines, "")))
}

// The rows are those of seqkit locate -j 1 -t dna -p motif edges.fa.
func TestEdgesOfTheFormatAreThoseOfSeqkit(t *testing.T) {
	file := []byte("\n>one\ttab and space\nACACACAgtgTGTGTNN\nacacacaRYSWKM\n\nBVDH-ACACA.\n>two\n" +
		">three  two spaces\nTGTGTGT\n>four\n>crlf x\r\nACACA\r\nCA\r\n>last>y\r\nACA CA")
	for bases, want := range map[string][]string{
		"ACA": {"one + 1 3", "one + 3 5", "one + 5 7", "one + 36 38", "one + 38 40", "one - 13 15", "one - 11 13", "three - 5 7",
			"three - 3 5", "three - 1 3", "crlf + 1 3", "crlf + 3 5", "crlf + 5 7", "last>y + 1 3"},
		"acaca":  {"one + 18 22", "one + 20 24"},
		"RYSWKM": {"one + 25 30"},
		"KMWSRY": {"one - 25 30"},
		"DHBV":   {"one - 31 34"},
	} {
		table := header
		for _, row := range want {
			f := strings.Fields(row)
			table += strings.Join([]string{f[0], bases, bases, f[1], f[2], f[3], bases}, "\t") + "\n"
		}
		require.Equal(t, table, located(t, file, motif{bases, []byte(bases)}))
	}
}
