// Package fuzz is the harness with which anybody tests a concurrent container: say which operations it
// has, and run the suite of its kind. Only tests import it.
//
//	func TestMyQueue(t *testing.T) {
//		fuzz.Queue(t, func(capacity int) fuzz.QueueOf {
//			q := mine.New[*fuzz.Item](capacity)
//			return fuzz.QueueOf{TryEnqueue: q.Push, TryDequeue: q.Pop, Len: q.Len}
//		}, fuzz.Bounded, fuzz.Linearizable)
//	}
//
// The suites are [Queue], [Counter], [Map], [MultiMap] and, for drivers of parallel loops, [ParallelFor].
// A suite is a set of subtests:
//
//	model         drawn programs of one goroutine, against a model; a failure is the smallest program
//	conservation  goroutines beside each other, and laws about sums: nothing lost, nothing twice, in order
//	linearizable  short histories of goroutines beside each other, judged against the sequential container
//	schedules     in explored builds of this library: small drawn programs in schedules that a scheduler chooses;
//	              it drives what synchronises through the library's own internal/atom, so not yours
//	retention     what was removed becomes garbage
//	failure       of loops: panics, errors and Goexit of bodies surface
//	misuse        odd arguments, use after the end, and the user's own cases: Misuses
//
// In a target for go test -fuzz, where t is a *testing.F, a suite fuzzes the same programs; [Bytes] reads programs for targets of any other kind, and [HandOut] makes
// short loops run on several workers.
//
// What is promised beyond the least, and asked of users, is said by [Promise] options. The environment
// steers all suites: CUSTODY_SOAK=k repeats everything k times as often, and CUSTODY_SEED=n replays what
// a failed subtest printed: the drawn programs exactly, goroutines as far as the scheduler lets it.
//
// # Invariants
//
//	(I1) A suite uses a container only as its promises allow: what it reports is a broken promise, or a
//	     program that the machine did not run to its end within 20 s.
//	(I2) A program is judged by its operations alone. Its model is fresh, lies beside the container, and
//	     calls nothing of it.
//	(I3) Each drawn property is the only one of its run, with fixed parameters, so a seed replays it.
//	(I4) Every subtest can fail: the tests of this package give each of them containers with faults.
//
// # Targets
//
// The tests of this package hold the library's own fuzz targets: inputs that read as small programs over
// the containers, and models that say, by the documented rules alone, what each program must do.
//
//	FuzzLedger          who may hold what: jobs in all modes over three containers, owner operations
//	                    between them; the verdict of each command, and the values at the end
//	FuzzParallelFor     one loop of any shape and kind, also nested, failing and handed out at random: it
//	                    leaves what the Sequential loop leaves, bit for bit, and fails in the same way
//	FuzzArray           an Array through its owner's methods and all views of jobs, against a slice
//	FuzzList            a List through its owner's methods and loops that append, nested and failing, against a slice
//	FuzzDoubleList      chains of jobs that append to the back of a DoubleList and write it, also failing, and swaps, against two slices
//	FuzzStream          a Stream through its owner's methods and loops of all kinds, also astray, against rows
//	FuzzCounter         Counter, Local, Sum, Min, Max and Histogram, alone and in jobs, against numbers
//	FuzzQueue, FuzzRing, FuzzSPSC
//	                    the methods of Queue, Ring and the ends of an SPSC, by the suite's programs
//	FuzzMap, FuzzMapOfWords, FuzzMapOfKeysThatMeet, FuzzMultiMap
//	                    the methods of maps, of integers, of words and of keys whose hashes are equal, and of a MultiMap, by the suite's programs
//	FuzzTable           a Table through its owner's methods and loops that stage, against rows
//	FuzzCounterMethods  Counter and Local by the suite's programs; FuzzToyQueue and FuzzMyQueue queues of the tests
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
// Rules for targets:
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
// # Map
//
//	queue.go, counter.go, map.go, multimap.go, loop.go  what users call; for each of them
//	...model.go     the model and the programs; ...laws.go the laws of goroutines beside each other, of which
//	                queueflow.go is one; ...misuse.go what is odd or forbidden
//	history.go      histories to be judged; queuehistory.go those of queues, maphistory.go those of maps and multimaps;
//	                schedules.go drawn programs that the explorer runs, judged likewise
//	handout.go      HandOut: loops whose batches all workers run, for tests of serial equivalence
//	option.go       promises and other options; item.go elements
//	suite.go        subtests and seeds; script.go programs, how they are drawn, shrunk, read and run;
//	                crew.go goroutines beside each other; bytes.go the reading of inputs;
//	                misuse.go cases of misuse, and what must become garbage; porcupine.go the judge
//	toy..._test.go  containers with faults, and which subtest sees each; recorder_test.go how that is seen;
//	                suite_test.go what all suites do
//	program_test.go, verdict_test.go, vessel_test.go  what the library's targets share: how inputs are
//	                printed, how operations end, a container with all four modes
//	graph..._test.go  graphs of jobs that are legal, or lack one thing that the rules demand: how they are drawn and
//	                executed, the rules, their containers, their jobs
//	list_test.go, frames_test.go, stream_test.go  the targets of lists and streams, each whole
//	array..., counter..., ledger..., parallelfor..._test.go  the targets: how inputs become commands;
//	                ...model_test.go what must come of them, ...job_test.go the jobs that they run,
//	                ...owner_test.go, ...run_test.go, ...tool_test.go the commands of owners, those that
//	                run jobs, and what both do to each container
package fuzz
