// Rasterizer draws moving triangles over each other, in their order, which decides what translucent
// colours leave. For each frame one loop adds the triangles to the tiles of the picture that they
// may touch, and another one paints the tiles. The program does the same triangle by triangle, and
// with goroutines, and fails unless every byte of the last frame is equal.
//
// Where goroutines lock a pixel to blend it, as in github.com/fogleman/fauxgl, its colour depends
// on which comes first; here a span of pixels that two tiles write is a violation.
package main
