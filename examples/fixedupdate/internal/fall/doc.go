// Package fall has objects behind an interface that fall and spin, and three worlds of them: one whose steps are a loop over interface calls, one
// that has the objects' bodies in the columns of a table and moves them by a parallel job, and one that makes the calls in a parallel loop. All
// leave the same bits.
//
// Terms: an item is what can be registered with a world. A world takes part in its step what was registered before the step began, and not
// removed; what dies after that is passed over when results are handed back, and leaves the world when the next step begins. What has burnt out
// has removed itself with its last step.
//
// Map: item.go items, and which of them are refused; objects.go three kinds; world.go what worlds have in common; calls.go, columns.go and
// loop.go the worlds; clock.go how long the stages of a step take; script.go what happens to the items; same.go the comparison.
package fall
