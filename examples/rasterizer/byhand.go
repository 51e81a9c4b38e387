package main

import (
	"image"
	"sync"
	"sync/atomic"
)

// byHand is a renderer with goroutines. Each bins a part of the triangles into tiles of its own.
type byHand struct {
	triangles []triangle
	parts     [][tiles][]int32 // for each goroutine, and each tile
	picture   *image.NRGBA
}

func newByHand(triangles []triangle, workers int) *byHand {
	return &byHand{triangles, make([][tiles][]int32, workers), image.NewNRGBA(screen)}
}

// draw waits for all parts before the first tile is painted. Goroutines take tiles one by one.
func (h *byHand) draw(frame int) {
	var running sync.WaitGroup
	for w := range h.parts {
		running.Go(func() { h.bin(w, frame) })
	}
	running.Wait()
	var next atomic.Int32
	for range h.parts {
		running.Go(func() {
			for k := next.Add(1) - 1; k < tiles; k = next.Add(1) - 1 {
				h.paint(int(k), frame)
			}
		})
	}
	running.Wait()
}

// bin adds the numbers of the triangles of part w to the tiles that they may touch.
func (h *byHand) bin(w, frame int) {
	part, n := &h.parts[w], len(h.triangles)
	for k := range part {
		part[k] = part[k][:0]
	}
	for i := w * n / len(h.parts); i < (w+1)*n/len(h.parts); i++ {
		for k := range h.triangles[i].tilesIn(frame) {
			part[k] = append(part[k], int32(i))
		}
	}
}

// paint draws the triangles of tile k, part by part: the parts have the order of the triangles.
func (h *byHand) paint(k, frame int) {
	on := h.picture.SubImage(windowOf(k)).(*image.NRGBA)
	for y := range high {
		clear(on.Pix[y*on.Stride:][:4*wide])
	}
	for w := range h.parts {
		for _, i := range h.parts[w][k] {
			h.triangles[i].draw(frame, on)
		}
	}
}
