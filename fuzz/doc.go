// Package fuzz tests concurrent containers. A test lists the operations of a container, and runs
// the suite for its kind. Only tests import this package.
//
//	func TestMyQueue(t *testing.T) {
//		fuzz.Queue(t, func(capacity int) fuzz.QueueOf {
//			q := mine.New[*fuzz.Item](capacity)
//			return fuzz.QueueOf{TryEnqueue: q.Push, TryDequeue: q.Pop, Len: q.Len}
//		}, fuzz.Bounded, fuzz.Linearizable)
//	}
//
// The suites are [Queue], [Counter], [Map], [MultiMap] and, for drivers of parallel loops,
// [ParallelFor]. A suite is a set of subtests:
//
//	model         random programs of one goroutine, compared with a model. A failure shows the
//	              smallest program.
//	conservation  concurrent goroutines, checked by laws about sums: no element is lost or
//	              duplicated, and order is kept
//	linearizable  short histories of concurrent goroutines, judged against the sequential container
//	schedules     in explored builds of this library: small random programs in schedules that a
//	              scheduler chooses. It drives only containers that synchronize by package
//	              safety/atom.
//	retention     removed elements become garbage
//	failure       of loops: panics, errors and Goexit of bodies surface
//	misuse        odd arguments, use after the end, and the caller's own cases, Misuses
//
// [Scaling] runs an operation of a container on 1 to 64 simulated processors.
//
// In a target for go test -fuzz, where t is a *testing.F, a suite fuzzes the same programs.
// [HandOut] makes short loops run on several workers.
//
// [Promise] options tell what a container promises beyond the minimum, and what it asks of its
// users. Two environment variables control all suites. CUSTODY_SOAK=k repeats everything k times as
// often. CUSTODY_SEED=n replays a failed subtest: random programs exactly, and goroutines as far as
// Go's scheduler permits.
//
// # Invariants
//
//	(I1) A suite uses a container only as its promises allow. A failure is a broken promise, or a
//	     program that did not end within 20 s of its own time.
//	(I2) A program is judged by its operations alone. Its model is fresh, separate from the
//	     container, and calls nothing of it.
//	(I3) Each random property is the only one of its run, with fixed parameters, so a seed replays
//	     it.
//	(I4) Every subtest can fail: the tests of this package give each of them faulty containers.
//
// # Targets
//
// The tests of this package contain the library's own fuzz targets. Their inputs read as small
// programs over the containers. Models, written from the documented rules alone, tell what each
// program must do.
//
//	FuzzLedger          the custody of containers: jobs in all modes over three containers, with
//	                    owner operations between them; the verdict of each command, and the final
//	                    values
//	FuzzParallelFor     one loop of any shape and kind, also nested, failing and handed out at
//	                    random. It must leave what the Sequential loop leaves, bit for bit, and
//	                    fail alike.
//	FuzzArray           an Array by its owner's methods and all views of jobs, against a slice
//	FuzzList            a List by its owner's methods and loops that append, nested and failing,
//	                    against a slice
//	FuzzDoubleList      chains of jobs that append to the back of a DoubleList and write it, also
//	                    failing, and swaps, against two slices
//	FuzzStream          a Stream by its owner's methods and loops of all kinds, also misused,
//	                    against rows
//	FuzzCounter         Counter, Local, Sum, Min, Max and Histogram, alone and in jobs, against
//	                    numbers
//	FuzzQueue, FuzzRing, FuzzSPSC
//	                    the methods of Queue, Ring and the ends of an SPSC, by the suite's programs
//	FuzzMap, FuzzMapOfWords, FuzzMapOfKeysThatMeet, FuzzMultiMap
//	                    the methods of maps with integer keys, word keys and keys of equal hashes,
//	                    and of a MultiMap, by the suite's programs
//	FuzzTable           a Table by its owner's methods and loops that stage, against rows
//	FuzzCounterMethods  Counter and Local, by the suite's programs
//	FuzzToyQueue, FuzzMyQueue
//	                    queues of the tests
//
// Run one with
//
//	go test -fuzz=FuzzLedger -fuzztime=20s -fuzzminimizetime=10x ./fuzz
//
// The last option matters. Jobs run on several goroutines, so coverage differs from run to run, and
// the tool would spend a minute on minimizing each input that is interesting only once.
//
// As ordinary tests the targets run their seeds: those of f.Add and those in testdata/fuzz. With -v
// and -run=FuzzLedger/NAME a seed prints the program that it reads as.
//
// Rules for targets:
//
//	(R1) A byte chooses a command, modulo the number of commands, and the next bytes are its
//	     operands. If the input is too short, the missing operands are 0 and the program ends. So no
//	     input is an error, and every prefix of a program is a program.
//	(R2) The verdict depends only on the input: not on time, on scheduling or on an earlier input.
//	     Jobs still run on several workers, because that must not make a difference.
//	(R3) A model does not call what it judges. It states rules as the documentation does: if several
//	     rules are broken at once, a report of any of them is correct.
//	(R4) In builds without checks (custody_unchecked) commands that break a rule are left out, and
//	     the rest must give the same results.
//
// # Map
//
//	queue.go, counter.go, map.go, multimap.go, loop.go
//	                the exported suites. Each has a ...model.go with the model and the programs, a
//	                ...laws.go with the laws of concurrent goroutines, and a ...misuse.go.
//	queueflow.go    one of the laws of queues
//	history.go      histories to judge; queuehistory.go those of queues, maphistory.go those of maps
//	                and multimaps
//	schedules.go    random programs that the explorer runs and that are judged in the same way
//	scaling.go      operations on simulated processors
//	handout.go      HandOut: loops whose batches all workers run, for tests of serial equivalence
//	option.go       promises and other options; item.go elements
//	suite.go        subtests and seeds
//	script.go       programs: drawing, shrinking, reading and running them
//	crew.go         concurrent goroutines
//	misuse.go       cases of misuse, and what must become garbage
//	porcupine.go    the judge of histories
//	toy..._test.go  faulty containers, and the subtest that finds each; recorder_test.go observes it
//	suite_test.go   what all suites do
//	program_test.go, verdict_test.go, vessel_test.go
//	                what the library's targets share: the reading of inputs, how operations end, and
//	                a container with all four modes
//	graph..._test.go
//	                graphs of jobs that are legal, or lack one thing that the rules demand: how they
//	                are drawn and executed, the rules, their containers, their jobs
//	scaling..., conflicts..._explore_test.go
//	                operations on simulated machines: what they take, and where they meet. Each
//	                conflicts... has the subjects of one kind: queues, counters, maps, containers of
//	                an owner, and views of jobs.
//	list_test.go, frames_test.go, stream_test.go
//	                the targets of lists and streams
//	array..., counter..., ledger..., parallelfor..._test.go
//	                the targets: how inputs become commands. ...model_test.go has the expected
//	                results, ...job_test.go the jobs, and ...owner_test.go, ...run_test.go and
//	                ...tool_test.go the commands of owners, those that run jobs, and their effects.
package fuzz
