package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"sync"

	"example.com/custody/examples/internal/program"
	"example.com/custody/parallelfor"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program. It returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	o := program.Options{N: 1000, Steps: 10, Chunk: 8}
	return program.Simulate("locate", "records", o, args, stdout, stderr, simulate)
}

func simulate(o program.Options, w io.Writer) error {
	pool := parallelfor.NewPool(o.Workers)
	defer pool.Close()
	opts := []parallelfor.Option{parallelfor.On(pool), parallelfor.Batch(o.Chunk)}
	file := draw(rand.New(rand.NewPCG(o.Seed, 1)), o.N)
	motifs := []motif{{"EcoRI", []byte("GAATTC")}, {"start", []byte("ATGGCC")}, {"repeat", []byte("CACACA")}}
	var plain, hand, jobs bytes.Buffer
	var failed error
	way := func(name string, to *bytes.Buffer, do func() error) program.Way {
		return program.Way{Name: name, Step: func() {
			to.Reset()
			if err := do(); err != nil {
				failed = err
			}
		}}
	}
	if err := program.Race(w, o.Steps,
		way("records, one by one", &plain, func() error { return oneByOne(bytes.NewReader(file), motifs, &plain) }),
		way(fmt.Sprintf("by hand, %d goroutines", o.Workers), &hand, func() error { return byHand(bytes.NewReader(file), motifs, &hand, o.Workers) }),
		way(fmt.Sprintf("MapSeqErr, %d workers", o.Workers), &jobs, func() error { return locate(bytes.NewReader(file), motifs, &jobs, opts...) }),
	); err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	fmt.Fprintf(w, "%d places in %d records\n", bytes.Count(plain.Bytes(), []byte("\n")), o.N)
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

// oneByOne is locate without the library.
func oneByOne(file io.Reader, motifs []motif, to io.Writer) error {
	for r, err := range records(file) {
		var found []byte
		if err == nil {
			found, err = rows(r, motifs)
		}
		if err == nil {
			_, err = to.Write(found)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// byHand is locate with goroutines that take records from a channel. Another goroutine keeps the
// results that come too early, and writes them in the order of the records. After an error it
// drops what comes, and the file is read to its end.
func byHand(file io.Reader, motifs []motif, to io.Writer, workers int) error {
	type result struct {
		number int
		found  []byte
		err    error
	}
	type task struct {
		number int
		record record
	}
	tasks, results := make(chan task, 4*workers), make(chan result, 4*workers)
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			for t := range tasks {
				found, err := rows(t.record, motifs)
				results <- result{t.number, found, err}
			}
		})
	}
	written := make(chan error)
	go func() {
		early, next := map[int]result{}, 0
		var failed error
		for r := range results {
			early[r.number] = r
			for {
				r, ok := early[next]
				if !ok {
					break
				}
				delete(early, next)
				next++
				if failed == nil {
					failed = r.err
				}
				if failed == nil {
					_, failed = to.Write(r.found)
				}
			}
		}
		written <- failed
	}()
	number := 0
	for r, err := range records(file) {
		if err != nil {
			results <- result{number: number, err: err}
			break
		}
		tasks <- task{number, r}
		number++
	}
	close(tasks)
	running.Wait()
	close(results)
	return <-written
}
