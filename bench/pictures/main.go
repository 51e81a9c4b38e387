// Command pictures draws docs/pictures/batches.svg: a loop that appends, as it was recorded. It
// shows which worker executed which batch, what was in the lane of each, and the list after the
// seal.
//
//	go -C bench run ./pictures [-pages DIR]
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"example.com/custody/array"
	"example.com/custody/bench/internal/plots"
	"example.com/custody/internal/svg"
	"example.com/custody/parallelfor"
)

func main() {
	pages := flag.String("pages", "..", "the `directory` of the repository")
	flag.Parse()
	r, err := record()
	if err == nil {
		err = plots.Write(filepath.Join(*pages, "docs", "pictures", "batches.svg"), r.draw())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(2)
	}
}

const (
	indices = 24
	batch   = 4
	workers = 3
)

// primes appends the primes among the indices.
type primes struct {
	Out array.ParallelWriter[int]
}

// Execute takes a while, less and less from index to index, so that workers take batches from
// others.
func (p *primes) Execute(i int) {
	time.Sleep(time.Duration(indices-i) * 100 * time.Microsecond)
	if isPrime(i) {
		p.Out.Append(i)
	}
}

func isPrime(n int) bool {
	for d := 2; d*d <= n; d++ {
		if n%d == 0 {
			return false
		}
	}
	return n > 1
}

// recording is a run of the loop.
type recording struct {
	lanes [workers][]int // the batches of each worker, in its order
	list  []int          // after the loop
}

// attempts is how often the loop runs at most.
const attempts = 1000

// record runs the loop until each worker has had a batch, and one has gone back to a lower batch.
// Then a lane is in another order than the list.
func record() (recording, error) {
	for range attempts {
		list := array.NewList[int]()
		graph := parallelfor.Record()
		parallelfor.For(indices, primes{Out: list.ParallelWriter()}, (*primes).Execute,
			parallelfor.Batch(batch), parallelfor.Workers(workers))
		graph.Stop()
		r := recording{list: list.Slice()}
		for _, s := range graph.Jobs()[0].Stays {
			for _, b := range s.Batches {
				r.lanes[s.Worker] = append(r.lanes[s.Worker], b.Batch)
			}
		}
		if r.tells() {
			return r, nil
		}
	}
	return recording{}, fmt.Errorf("no worker took a lower batch in %d loops", attempts)
}

// tells reports whether the picture of a recording shows what a seal is for.
func (r *recording) tells() bool {
	back := false
	for _, lane := range r.lanes {
		if len(lane) == 0 || len(lane) > 3 {
			return false
		}
		for i := range len(lane) - 1 {
			back = back || lane[i+1] < lane[i]
		}
	}
	return back
}

const (
	width  = 640.0
	left   = 118.0 // of what is drawn
	square = 19.0
	high   = 22.0
	gap    = 7.0 // between batches
)

// draw draws the recording.
func (r *recording) draw() *svg.Picture {
	const lanesAt, laneLine = 92.0, 32.0
	const sealAt = lanesAt + workers*laneLine
	p := svg.New(width, sealAt+76, "a loop's indices are cut into batches; each worker appends to its lane; the seal joins the lanes in the order of the batches")
	by := map[int]string{} // colours by batch
	for w, lane := range r.lanes {
		for _, b := range lane {
			by[b] = svg.Colour(w)
		}
	}

	p.Text("", svg.Normal, 8, 45, svg.Start, "indices")
	for b := range indices / batch {
		x := left + float64(b)*(batch*square+gap)
		p.Text(svg.Quiet, svg.Small, x+batch*square/2, 22, svg.Middle, fmt.Sprintf("batch %d", b))
		for k := range batch {
			i := b*batch + k
			item(p, by[b], x+float64(k)*square, 29, square, i, isPrime(i))
		}
	}
	p.Text(svg.Quiet, svg.Small, left, 76, svg.Start, "each worker appends the primes of its batches to its own lane")

	for w, lane := range r.lanes {
		y := lanesAt + float64(w)*laneLine
		name := fmt.Sprintf("worker %d", w)
		if w == 0 {
			name = "caller"
		}
		p.Text("", svg.Normal, 8, y+16, svg.Start, name)
		p.Area(svg.Lane, left, y-3, width-left-8, high+6)
		x := left + 8
		for _, b := range lane {
			text := fmt.Sprintf("batch %d", b)
			p.Text(svg.Quiet, svg.Small, x, y+15, svg.Start, text)
			x += svg.Width(text, svg.Small) + 5
			for i := b * batch; i < (b+1)*batch; i++ {
				if isPrime(i) {
					item(p, by[b], x, y, 26, i, true)
					x += 26
				}
			}
			x += 16
		}
	}

	p.Path(svg.Axis, fmt.Sprintf("M60 %gv22m-5 -6l5 6l5 -6", sealAt+2), 1.5, "")
	p.Text("", svg.Normal, 72, sealAt+18, svg.Start, "seal: after the last batch the lanes are joined in the order of the batches")
	y := sealAt + 38
	p.Text("", svg.Normal, 8, y+16, svg.Start, "the list")
	for k, v := range r.list {
		item(p, by[v/batch], left+float64(k)*26, y, 26, v, true)
	}
	return p
}

// item draws a number in a box, which is filled where the number is appended.
func item(p *svg.Picture, colour string, x, y, wide float64, i int, appended bool) {
	class := svg.On
	p.Rect(colour, x, y, wide-1, high, "")
	if !appended {
		p.Area(svg.Lane, x+2, y+2, wide-5, high-4)
		class = ""
	}
	p.Text(class, svg.Small, x+(wide-1)/2, y+high/2+4, svg.Middle, fmt.Sprint(i))
}
