package programs

import (
	"hash/crc32"
	"image"
	"math/rand/v2"
	"sync"

	"github.com/sourcegraph/conc/iter"

	"example.com/custody/array"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
)

// pixels blurs an image by rows and counts the bytes of the result.
func pixels(width, height int) program {
	const own = "rows in parts, counts of their own"
	in := someImage(width, height)
	work := rows.Thousands(width*height) + " RGBA pixels blurred by rows, bytes counted"
	return program{work, len(in.Pix), 1.05, own, []way{
		by(ours, filter{image.NewRGBA(in.Rect), in}, blur, blurred.digest),
		by("conc, counts under a lock", filter{image.NewRGBA(in.Rect), in}, blurConc, blurred.digest),
		hand(own, filter{image.NewRGBA(in.Rect), in}, blurByHand, blurred.digest),
	}}
}

// filter is where the result goes, and the image.
type filter struct{ out, in *image.RGBA }

// blurred is the result and how often each byte is in it.
type blurred struct {
	pix    []byte
	counts []int64
}

// blurRow writes the means of a row and its neighbours. The first and the last pixel stay.
//
// It is not inlined, so that all ways run the same code at the same address.
//
//go:noinline
func blurRow(out, above, row, below []byte) {
	copy(out, row[:4])
	for i := 4; i < len(row)-4; i++ {
		sum := int(above[i-4]) + int(above[i]) + int(above[i+4]) +
			int(row[i-4]) + int(row[i]) + int(row[i+4]) +
			int(below[i-4]) + int(below[i]) + int(below[i+4])
		out[i] = byte(sum / 9)
	}
	copy(out[len(row)-4:], row[len(row)-4:])
}

// blurring is a job that blurs a row. Rows beyond the first and the last are as these.
type blurring struct {
	In     array.Reader[byte]
	Out    array.Writer[byte]
	Counts counter.HistogramParallelWriter
	Stride int
}

func (j *blurring) Execute(y int) {
	in, out, s := j.In.Slice(), j.Out.Row(y), j.Stride
	above, row, below := max(y-1, 0)*s, y*s, min((y+1)*s, len(in)-s)
	blurRow(out, in[above:above+s], in[row:row+s], in[below:below+s])
	counter.CountAll(&j.Counts, out)
}

func blur(f filter) blurred {
	counts := counter.NewHistogram(256)
	parallelfor.For(f.in.Rect.Dy(), blurring{
		In:     array.Of(f.in.Pix).Reader(),
		Out:    array.ByRows(array.Of(f.out.Pix).Writer(), f.in.Stride),
		Counts: counts.ParallelWriter(),
		Stride: f.in.Stride,
	}, (*blurring).Execute)
	return blurred{f.out.Pix, counts.Counts(nil)}
}

func blurByHand(f filter) blurred {
	in, s := f.in.Pix, f.in.Stride
	all := make([][256]int64, procs())
	rows.Parts(f.in.Rect.Dy(), func(p, begin, end int) {
		var counts [256]int64
		for y := begin; y < end; y++ {
			out := f.out.Pix[y*s : (y+1)*s]
			above, row, below := max(y-1, 0)*s, y*s, min((y+1)*s, len(in)-s)
			blurRow(out, in[above:above+s], in[row:row+s], in[below:below+s])
			for _, v := range out {
				counts[v]++
			}
		}
		all[p] = counts
	})
	for _, counts := range all[1:] {
		for v, n := range counts {
			all[0][v] += n
		}
	}
	return blurred{f.out.Pix, all[0][:]}
}

// blurConc blurs each row by itself, as conc does.
func blurConc(f filter) blurred {
	in, s := f.in.Pix, f.in.Stride
	var mu sync.Mutex
	all := make([]int64, 256)
	iter.ForEachIdx(make([]struct{}, f.in.Rect.Dy()), func(y int, _ *struct{}) {
		out := f.out.Pix[y*s : (y+1)*s]
		above, row, below := max(y-1, 0)*s, y*s, min((y+1)*s, len(in)-s)
		blurRow(out, in[above:above+s], in[row:row+s], in[below:below+s])
		var counts [256]int64
		for _, v := range out {
			counts[v]++
		}
		mu.Lock()
		defer mu.Unlock()
		for v, n := range counts {
			all[v] += n
		}
	})
	return blurred{f.out.Pix, all}
}

func (b blurred) digest() uint64 {
	return sequence(b.counts) + uint64(crc32.Checksum(b.pix, crc32.MakeTable(crc32.Castagnoli)))
}

// someImage returns an image of slopes with noise on them.
func someImage(width, height int) *image.RGBA {
	random := rand.New(rand.NewPCG(28, 29))
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range m.Pix {
		x, y := i%m.Stride/4, i/m.Stride
		m.Pix[i] = byte((x+y*(1+i%4))/16 + random.IntN(64))
	}
	return m
}
