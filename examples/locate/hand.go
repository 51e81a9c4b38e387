package main

import (
	"io"
	"sync"
)

// oneByOne is locate without the library.
func oneByOne(file io.Reader, motifs []motif, to io.Writer) error {
	return write(to, func(yield func([]byte, error) bool) {
		for r, err := range records(file) {
			var found []byte
			if err == nil {
				found, err = rows(r, motifs)
			}
			if !yield(found, err) {
				return
			}
		}
	})
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
		_, failed := io.WriteString(to, header)
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
