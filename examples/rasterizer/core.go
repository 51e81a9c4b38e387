package main

import (
	"image"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// bin adds the number of each triangle to the tiles that it may touch.
type bin struct {
	Triangles array.Reader[triangle]
	Tiles     array.StreamKeyedWriter[int32]
	Frame     int
}

func (b *bin) Execute(i int) {
	_, box := b.Triangles.Slice()[i].cornersIn(b.Frame)
	for y := box.Min.Y / tile; y*tile < box.Max.Y; y++ {
		for x := box.Min.X / tile; x*tile < box.Max.X; x++ {
			b.Tiles.Add(y*across+x, int32(i))
		}
	}
}

// span is a part of a row of the picture, which belongs to one tile.
type span [4 * tile]uint8

// paint draws the triangles of each tile, in their order.
type paint struct {
	Triangles array.Reader[triangle]
	Tiles     array.StreamReader[int32]
	Picture   array.PermutedWriter[span] // each span is written by one tile
	Frame     int
	Worker    parallelfor.Worker // in whose memory a tile is drawn
}

func (p *paint) Execute(k int) {
	on := image.RGBA{Pix: parallelfor.Scratch[uint8](p.Worker, 4*tile*tile), Stride: 4 * tile, Rect: windowOf(k)}
	for _, i := range p.Tiles.At(k) {
		p.Triangles.Slice()[i].draw(p.Frame, &on)
	}
	for y := range tile {
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
	return &renderer{
		triangles: array.Of(triangles, safety.Named("triangles")),
		tiles:     array.NewStream[int32](safety.Named("tiles")),
		picture:   array.New[span](size*across, safety.Named("picture")),
		on:        on, batch: batch,
	}
}

// draw draws a frame. At any number of workers the rows of tiles have the order of the triangles.
func (r *renderer) draw(frame int) {
	r.tiles.Clear()
	r.tiles.Resize(across * across)
	adding := bin{Triangles: r.triangles.Reader(), Tiles: r.tiles.KeyedWriter(), Frame: frame}
	parallelfor.For(r.triangles.Len(), adding, (*bin).Execute, r.on, r.batch)
	painting := paint{
		Triangles: r.triangles.Reader(), Tiles: r.tiles.Reader(), Picture: r.picture.Writer().Permuted(), Frame: frame,
	}
	parallelfor.For(across*across, painting, (*paint).Execute, r.on, parallelfor.Batch(1))
}
