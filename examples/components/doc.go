// Components moves things that have up to four components each, kept in columns, by jobs of a kind of its own: each has a query, for
// the chunks that have the components and tags it needs, and none of those that it excludes, and its Execute takes pointers to the components
// of one entity. The kind, the columns and their views are in internal/ecs and made of what the library exports; the simulation is in
// internal/sim.
//
//	go -C examples run ./components
//	go -C examples run ./components -n 1000000 -chunk 4096 -workers 1,4 -batch 1000
//
// It makes the same steps in plain loops over slices, and fails when any bit of any component is another one. It exits with 1 then, and
// with 2 when its arguments make no sense. Compare the ratios of one run, not the times of two.
package main
