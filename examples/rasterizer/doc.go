// Rasterizer draws moving triangles over each other, in their order, which decides what translucent
// colours leave. For each frame one loop adds the triangles to the tiles of the picture that they
// may touch, and another one paints the tiles. The program does the same triangle by triangle, and
// with goroutines, and fails unless every byte of the last frame is equal.
//
// The arithmetic is that of github.com/fogleman/fauxgl. A test compares the picture with the one
// that fauxgl draws triangle by triangle. DrawTriangles of fauxgl hands triangles to goroutines,
// which lock a pixel to blend it. Nothing races, but the scheduler decides whose colour is on top.
// Two goroutines drew the triangles of that test 30 times: no two pictures were equal, and none was
// the sequential one.
//
// Here the type of the view rules that out. The picture is written through a view in which each
// span has one writer: a span that two tiles write is a violation. So triangles are grouped by tile
// first, and a row of the stream has those of its tile in their order, at any number of workers.
package main
