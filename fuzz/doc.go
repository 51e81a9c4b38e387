// Package fuzz holds the fuzz targets: inputs that read as small programs over the containers, and
// models that say, by the documented rules alone, what each program must do.
//
//	FuzzLedger       who may hold what: jobs in all modes over three containers, owner operations
//	                 between them; the verdict of each command, and the values at the end
//	FuzzParallelFor  one loop of any shape and kind, also nested, failing and handed out at random: it
//	                 leaves what the Sequential loop leaves, bit for bit, and fails in the same way
//	FuzzArray        an Array through its owner's methods and all views of jobs, against a slice
//	FuzzCounter      Counter, Local, Sum, Min, Max and Histogram, alone and in jobs, against numbers
//
// Run one with
//
//	go test -fuzz=FuzzLedger -fuzztime=20s -fuzzminimizetime=10x ./fuzz
//
// The last option matters: jobs run on several goroutines, so coverage differs from run to run, and the
// tool would spend its time, a minute for each, on minimizing inputs that are interesting only once.
//
// As ordinary tests they run their seeds, those given to f.Add and those in testdata/fuzz. With -v and
// -run=FuzzLedger/NAME a seed prints the program that it reads as.
//
// # Rules for targets
//
//	(R1) A byte chooses a command, modulo the number of commands, and the next bytes are its operands.
//	     Where the input is too short the missing operands are 0 and the program ends: no input is an
//	     error, and every prefix of a program is one.
//	(R2) The verdict on an input depends on nothing else: not on time, on scheduling or on an earlier
//	     input. Jobs run on several workers all the same, because that must not show.
//	(R3) A model does not call what it judges, and states rules as the documentation does: when several
//	     rules are broken at once, a report of any of them is right.
//	(R4) Where custody is not checked (custody_unchecked) commands that break a rule are left out, and
//	     the rest must give the same results.
//
// Map of the files: program_test.go the reading of inputs; verdict_test.go how operations end;
// vessel_test.go a container with all four modes; then for each target its commands and its model, and in
// ...job_test.go the jobs that its commands run.
package fuzz
