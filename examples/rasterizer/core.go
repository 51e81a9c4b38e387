package main

import (
	"image"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// bin adds the number of each triangle to the tiles that it may touch.
type bin struct {
	Triangles array.Reader[triangle]
	Tiles     array.StreamKeyedWriter[int32]
	Frame     int
}

func (b *bin) Execute(i int) {
	for k := range b.Triangles.Slice()[i].tilesIn(b.Frame) {
		b.Tiles.Add(k, int32(i))
	}
}

// paint draws the triangles of each tile, in their order.
type paint struct {
	Triangles array.Reader[triangle]
	Tiles     array.StreamReader[int32]
	Picture   array.PermutedWriter[span] // each span is written by one tile
	Frame     int
	Worker    parallelfor.Worker // in whose memory a tile is drawn
}

func (p *paint) Execute(k int) {
	on := image.NRGBA{Pix: parallelfor.Scratch[uint8](p.Worker, 4*wide*high), Stride: 4 * wide, Rect: windowOf(k)}
	for _, i := range p.Tiles.At(k) {
		p.Triangles.Slice()[i].draw(p.Frame, &on)
	}
	for y := range high {
		p.Picture.Set((on.Rect.Min.Y+y)*across+k%across, span(on.Pix[y*on.Stride:]))
	}
}

// renderer draws one frame after the other into one picture.
type renderer struct {
	triangles *array.Array[triangle]
	tiles     *array.Stream[int32] // a row of triangles for each tile
	picture   *array.Array[span]
	on, batch parallelfor.Option // the pool, and how many triangles a worker takes
}

func newRenderer(triangles []triangle, on, batch parallelfor.Option) *renderer {
	return &renderer{array.Of(triangles), array.NewStream[int32](), array.New[span](size * across), on, batch}
}

// draw draws a frame. At any number of workers the rows of tiles have the order of the triangles.
func (r *renderer) draw(frame int) {
	r.tiles.Clear()
	r.tiles.Resize(tiles)
	binning := bin{Triangles: r.triangles.Reader(), Tiles: r.tiles.KeyedWriter(), Frame: frame}
	parallelfor.For(r.triangles.Len(), binning, (*bin).Execute, r.on, r.batch)
	painting := paint{Triangles: r.triangles.Reader(), Tiles: r.tiles.Reader(), Picture: array.Permuted(r.picture.Writer()), Frame: frame}
	parallelfor.For(tiles, painting, (*paint).Execute, r.on, parallelfor.Batch(1))
}
