package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
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

// original is the SHA-256 of the colour buffer that github.com/fogleman/fauxgl at commit
// abf826acbbbdd68114b32f9a6b7e6db1bd79d45a leaves, built for amd64 with GOAMD64=v1. Its context has
// 1024 x 1024 pixels, and ReadDepth and WriteDepth are false. For one triangle after the other it
// gets a SolidColorShader with the identity matrix, then DrawTriangle. Corners are at (x/512-1,
// 1-y/512). With GOAMD64=v3 the compiler fuses products and sums, and the original draws another
// picture.
const original = "d65f0606ee3063141001b8c647d675b834172b539fa83a62c70bf7f1ca640c70"

// TestPictureIsTheOriginals: with this seed, a tile that starts its sums at its own edge draws
// another picture.
func TestPictureIsTheOriginals(t *testing.T) {
	const frame = 3
	triangles, plain := begin(rand.New(rand.NewPCG(2, 1)), 10_000), image.NewNRGBA(screen)
	sum := func(pixels []byte) string { return fmt.Sprintf("%x", sha256.Sum256(pixels)) }
	oneByOne(triangles, frame, plain)
	require.Equal(t, original, sum(plain.Pix))
	for _, workers := range []int{1, 2, 3, 8} {
		pool := parallelfor.NewPool(workers)
		defer pool.Close()
		hand, jobs := newByHand(triangles, workers), newRenderer(triangles, parallelfor.On(pool), parallelfor.Batch(256))
		hand.draw(frame)
		jobs.draw(frame)
		require.Equal(t, original, sum(hand.picture.Pix), "by hand, %d workers", workers)
		require.Equal(t, original, sum(jobs.bytes()), "%d workers", workers)
	}
}

func TestEveryFrameIsDrawnInOrder(t *testing.T) {
	triangles, plain := begin(rand.New(rand.NewPCG(1, 1)), 1000), image.NewNRGBA(screen)
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
