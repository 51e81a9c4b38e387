package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"example.com/custody/examples/internal/program"
	"example.com/custody/parallelfor"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program. It returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	o := program.Options{N: 2000, Steps: 10, Chunk: 16}
	return program.Simulate("locate", "records", o, args, stdout, stderr, simulate)
}

// motifs are the ones that are looked for.
var motifs = []motif{{"EcoRI", []byte("GAATTC")}, {"start", []byte("ATGGCC")}, {"repeat", []byte("CACACA")}}

func simulate(o program.Options, w io.Writer) error {
	pool := parallelfor.NewPool(o.Workers)
	defer pool.Close()
	opts := []parallelfor.Option{parallelfor.On(pool), parallelfor.Batch(o.Chunk)}
	file := draw(rand.New(rand.NewPCG(o.Seed, 1)), o.N)
	var plain, hand, jobs bytes.Buffer
	var failed error
	way := func(name string, to *bytes.Buffer, do func() error) program.Way {
		return program.Way{Name: name, Step: func() {
			to.Reset()
			failed = cmp.Or(failed, do())
		}}
	}
	err := program.Race(w, o.Steps,
		way("records, one by one", &plain, func() error { return oneByOne(bytes.NewReader(file), motifs, &plain) }),
		way(fmt.Sprintf("by hand, %d goroutines", o.Workers), &hand, func() error { return byHand(bytes.NewReader(file), motifs, &hand, o.Workers) }),
		way(fmt.Sprintf("MapSeqErr, %d workers", o.Workers), &jobs, func() error { return locate(bytes.NewReader(file), motifs, &jobs, opts...) }),
	)
	if err = cmp.Or(err, failed); err != nil {
		return err
	}
	fmt.Fprintf(w, "%d places in %d records\n", bytes.Count(plain.Bytes(), []byte("\n"))-1, o.N)
	return program.Verified(w, plain.String(), hand.String(), jobs.String())
}

// draw returns a file of n records of a few hundred to 20,000 bases.
func draw(r *rand.Rand, n int) []byte {
	var file []byte
	for i := range n {
		file = fmt.Appendf(file, ">r%d drawn\n", i)
		for range 200 + r.IntN(20_000) {
			file = append(file, "ACGT"[r.IntN(4)])
			if len(file)%70 == 0 {
				file = append(file, '\n')
			}
		}
		file = append(file, '\n')
	}
	return file
}
