// Package scheduler has the rows of the driver: what a loop costs around its body.
//
// Map: scheduler.go the list; contest.go how drivers are compared, and drivers.go the drivers,
// other libraries' among them; chores.go and saxpy.go work that takes its time; latency.go short
// loops back to back, and first.go after a pause; plain.go loops beside the plain loop alone, their
// worst case, and chains; skew.go cells that take longer than others; nested.go loops in loops;
// stages.go and longchain.go jobs that need each other's results; schedules.go what schedules cost,
// and allocate; paths.go a search on a grid.
package scheduler
