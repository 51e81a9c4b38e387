// Package sim moves particles that push each other away, and finds who is near whom through a spatial hash: a
// multimap from a cell of space to the particles in it.
//
//	config.go      Config: how many particles, how crowded, and what makes no sense
//	space.go       Vec and Cell: places, and the cells of space that they lie in
//	particle.go    what a particle does, for itself: shared by both simulations
//	jobs.go        the jobs of a step: their fields say all that they touch
//	parallel.go    Parallel: steps of jobs that follow each other
//	sequential.go  Sequential: plain loops over slices and Go's map: the reference
//	trace.go       Trace: what is known of each step, and how long its phases took; whether two are the same
//
// Space is cut into cubes with edges of 1, which is also how far particles see: so whoever is near a particle is in
// its cell or in one of the 26 around it. In which order a particle meets its neighbours decides how the push on it is
// rounded. A run is the same bit for bit all the same, at any number of workers, because the multimap has the
// particles of each cell, and the cells themselves, in the order of the sequential loop.
package sim
