package main

import (
	"bytes"
	"image"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/examples/internal/program/programtest"
	"example.com/custody/parallelfor"
)

func TestRasterizer(t *testing.T) {
	programtest.Program{Name: "rasterizer", Run: run}.Simulates(t,
		[]string{"-n", "500", "-steps", "2"}, "500 triangles are in ",
		[]string{"-workers", "1"}, []string{"-workers", "8"}, []string{"-chunk", "3"})
}

func TestEveryFrameIsDrawnInOrder(t *testing.T) {
	triangles, plain := begin(rand.New(rand.NewPCG(1, 1)), 1000), image.NewRGBA(screen)
	for _, workers := range []int{1, 2, 3, 8} {
		pool := parallelfor.NewPool(workers)
		defer pool.Close()
		for _, chunk := range []int{1, 7, 256} {
			hand, jobs := newByHand(triangles, workers), newRenderer(triangles, parallelfor.On(pool), parallelfor.Batch(chunk))
			for frame := range 3 {
				oneByOne(triangles, frame, plain)
				hand.draw(frame)
				jobs.draw(frame)
				require.True(t, bytes.Equal(plain.Pix, hand.picture.Pix) && bytes.Equal(plain.Pix, jobs.bytes()),
					"frame %d, %d workers, chunk %d", frame, workers, chunk)
			}
		}
	}
}
