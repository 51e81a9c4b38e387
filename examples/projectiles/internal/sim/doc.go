// Package sim is the simulation: guns, projectiles and targets, in frames.
//
// Terms: a gun has one projectile in the air, or none. When that has landed the gun fires again at once, at a target that there is then, or it jams
// and is silent for some frames. A target that was hit often enough is gone, and another one comes. A projectile flies to where its target is, and when
// that is gone to where it was.
//
// A frame: the landings of the frame before have their effect, the targets move, what was staged is applied, and then come three jobs. seek
// reads where the targets are; arc flies; apply stages what follows from what has landed. Guns that were silent fire meanwhile.
//
// Map: world.go World, the frames on tables; jobs.go the jobs; flight.go how a projectile flies; plain.go Plain, the same by hand; config.go
// what is decided by the seed; waiting.go silent guns; vec.go what is drawn; sum.go checksums; careless.go a job that does not wait for the one before it.
package sim
