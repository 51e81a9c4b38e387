// Fixedupdate has thousands of objects behind an interface fall and spin in fixed steps: by one parallel job over columns for each step, by a
// parallel loop that calls the objects' methods, and by both one after the other. Objects are registered, removed and killed while the job
// runs. It says how many steps a second each form makes.
//
//	go -C examples run ./fixedupdate
//	go -C examples run ./fixedupdate -n 50000 -parts 16 -workers 2,4
//	go -C examples run ./fixedupdate -trace steps.trace && go tool trace examples/steps.trace
//
// It fails when any bit of any object is another one than the plain loop over the objects leaves. It exits with 1 then, and with 2 when its
// arguments make no sense. Compare the ratios of one run, not the times of two.
package main
