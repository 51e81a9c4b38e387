// Package sim is a small simulation: things that float about in a box, some driven, some frozen, some that never moved. Their four
// components are columns of package ecs, and what happens at a step is seven systems; or they lie in slices, and plain loops call
// the same bodies. Both leave the same bits.
//
// Map: parts.go the components; jobs.go the bodies; start.go who there is at first; columns.go the simulation of systems; plain.go that of
// plain loops, and the comparison.
package sim
