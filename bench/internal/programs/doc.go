// Package programs has the rows of whole programs, each written in several ways: by a careful hand
// in plain Go with a goroutine for each processor, with another library, and with this library as
// its pages show. A way is a function of the input and reads as in a program of its own. All ways
// must have the same result.
//
// Except the maps of sessions and the blurred image, all memory is made anew. Times are for a word,
// a request, a particle in a frame, an event, a byte or a k-mer.
//
// Map: programs.go how ways are compared; words.go words of texts, counted; sessions.go sessions in
// a map that goroutines share; particles.go particles in cells; events.go events grouped by user;
// pixels.go an image blurred by rows; kmers.go k-mers of DNA, counted.
package programs
