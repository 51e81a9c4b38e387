// Projectiles flies some ten thousand of them in arcs to targets that move, in frames. Projectiles and targets are rows of tables, with names
// for life; they come and go between frames. A frame is three jobs, each of which runs after the one before it: the first reads where the
// targets are, the second flies, and writes what is to be drawn into one of two buffers, and the third applies what has landed.
//
//	go -C examples run ./projectiles
//	go -C examples run ./projectiles -n 100000 -workers 2
//	go -C examples run ./projectiles -png arcs.png
//	go -C examples run ./projectiles -missing-after   what the library says when one of the jobs does not wait for the one before it
//
// It makes the same frames in plain loops over slices, and fails when any bit of what is to be drawn is another one. It exits with 1 then, or if a
// file cannot be written, and with 2 when its arguments make no sense. Compare the ratios of one run, not the frames of two.
package main
