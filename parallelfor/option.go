package parallelfor

import (
	"cmp"
	"slices"
	"strconv"

	"example.com/custody/safety"
)

// Option configures one job. Options are small values: making and passing them allocates nothing,
// except for [After] with several handles, and [LengthOf], which copies its view.
type Option struct {
	what optionKind
	n    int
	name string
	with any // depends on what
}

type optionKind uint8

const (
	optNone optionKind = iota
	optBatch
	optAfter    // with the job of a Handle, in generation n
	optAfterAll // with the []Handle
	optName
	optWorkers
	optSequential
	optPool // with the *Pool
	optAutoOrder
	optLengthOf // with a func() lengthView that returns a copy of the view
	optInline
	optProgress // with the func(done, total int)
	optScheduledAt
	optJoinErrors
	optPart // of a loop that runs several jobs; n is the number of the first item
)

// ScheduledAt sets where the job was scheduled, for the texts of violations. It is for functions
// that schedule jobs for their callers, as those of a [Kind] do. Without it, that is the call of
// the function of this package.
func ScheduledAt(site safety.Site) Option { return Option{what: optScheduledAt, n: int(site)} }

// Batch sets how many indices a batch has: the unit that is handed out, stolen, given as a write
// range and executed by one call of the body of ForBatch. 0, the default, is a length computed from
// the number of indices alone: 40 indices are 40 batches, 1000 are 63, a million are 500. -1 makes
// the whole loop one batch, run by one worker. Below -1 is a violation.
func Batch(n int) Option { return Option{what: optBatch, n: n} }

// After makes the job run after the given ones. The job gets the containers that they held from
// them. If one of them fails or is cancelled the job does not run, and fails as that one did.
// [Handle.Err] returns the error, and so do functions whose names end in Err. [For] and other
// functions without an error return without having run the job. If one of them panicked, or broke a
// rule, all panic.
func After(handles ...Handle) Option {
	if len(handles) == 1 {
		return Option{what: optAfter, with: handles[0].job, n: int(handles[0].generation)}
	}
	all := slices.Clone(handles) // a copy, so that handles stays on the caller's stack
	return Option{what: optAfterAll, with: all}
}

// Name names the job in the texts of violations. Without it a job has the name of its type. A job
// whose type has no name, or is a view, has the name of its form and of the place where its body
// begins: loop at main.go:44.
func Name(s string) Option { return Option{what: optName, name: s} }

// Workers sets how many workers run the job, if it has as many batches. It is for bodies that block
// and may wait for each other: each worker has a goroutine, whether or not the pool has a free one.
// To bound the workers of loops that compute, use a smaller pool with [On]: without Workers, a job
// has at most as many as its pool. Below 1 is a violation; above 32,767 counts as 32,767.
func Workers(n int) Option { return Option{what: optWorkers, n: n} }

// Sequential runs the job's batches one after the other, in the order of their indices, on one
// worker. It is the reference that the parallel loop equals.
func Sequential() Option { return Option{what: optSequential} }

// On runs the job on the given pool instead of the default one.
func On(p *Pool) Option { return Option{what: optPool, with: p} }

// maxWorkers is what the state word of a job has room for.
const maxWorkers = 1<<15 - 1

// settings are the options of one job, taken together.
type settings struct {
	batch      int
	workers    int
	asked      bool // the program set workers: the bodies may wait for each other
	name       string
	sequential bool
	autoOrder  bool
	inline     bool
	part       bool // of a loop that runs several jobs, as a call is run: no job of others runs after it
	first      int  // of a part: the number of index 0 in the loop
	length     measured
	progress   func(done, total int) // nil if there is none
}

// configure sets the job's settings by the options, and notes the jobs that it runs after.
func (w *work) configure(n int, opts []Option) *safety.Violation {
	w.settings, w.pool = settings{}, &defaultPool
	s := &w.settings
	for i := range opts {
		o := &opts[i]
		switch o.what {
		case optBatch:
			s.batch = o.n
			if o.n < -1 {
				return misuse(safety.ErrArgument, w.nameOf(opts), "was scheduled with Batch("+strconv.Itoa(o.n)+")", "A batch is 1 index or more; 0 is automatic and -1 is one worker.", o.n)
			}
		case optAfter:
			w.runAfter(Handle{o.with.(hidden), uint32(o.n)})
		case optAfterAll:
			for _, h := range o.with.([]Handle) {
				w.runAfter(h)
			}
		case optName:
			s.name = o.name
		case optWorkers:
			s.workers, s.asked = o.n, true
			if o.n < 1 {
				return misuse(safety.ErrArgument, w.nameOf(opts), "was scheduled with Workers("+strconv.Itoa(o.n)+")", "A job has 1 worker or more; without the option it has as many as its pool.", o.n)
			}
		case optSequential:
			s.sequential = true
		case optPart:
			s.part, s.first = true, o.n
		case optProgress:
			s.progress = o.with.(func(done, total int))
		case optAutoOrder:
			s.autoOrder = true
			keepAll()
		case optLengthOf:
			s.length.view = o.with.(func() lengthView)()
		case optInline:
			s.inline, s.sequential = true, true
		case optJoinErrors:
			return misuse(safety.ErrArgument, w.nameOf(opts), "was scheduled with JoinErrors", "JoinErrors is an option of MapSliceErr. Other loops return the error of the lowest index.", 0)
		case optPool:
			w.pool = o.with.(*Pool)
			if w.pool == nil {
				return misuse(safety.ErrArgument, w.nameOf(opts), "was scheduled with On(nil)", "Make a pool with NewPool, or leave the option away.", 0)
			}
		}
	}
	if s.workers == 0 {
		if d, known := w.cost.of(n); !known || d <= 0 || d >= longestShort || w.sample.wait <= 0 || w.procs == 0 || w.plan.recurses {
			w.procs = defaultPool.processors()
		}
		s.workers = cmp.Or(w.pool.size, w.procs)
	}
	if s.sequential || s.batch == -1 {
		s.workers = 1
	}
	s.workers = min(s.workers, maxWorkers)
	if w.name == "" {
		w.name = w.ownName()
	}
	return nil
}

// nameOf returns the name of the job under these options.
func (w *work) nameOf(opts []Option) string {
	return cmp.Or(givenName(opts), w.ownName())
}

// givenName returns the name that the options give a job, or "".
func givenName(opts []Option) string {
	if o := last(opts, optName); o != nil {
		return o.name
	}
	return ""
}

// last returns the last of the options that is of the kind, or nil.
func last(opts []Option, what optionKind) *Option {
	for i := len(opts) - 1; i >= 0; i-- {
		if opts[i].what == what {
			return &opts[i]
		}
	}
	return nil
}

// misuse is the violation of a job that was given a number, or something else, that means nothing.
func misuse(kind error, job, what, do string, n int) *safety.Violation {
	v := safety.NewViolation(kind, "job "+job+" "+what, do)
	v.Job, v.N = job, n
	return v
}

// senseless is the violation of an argument that means nothing.
func senseless(what, do string, n int) *safety.Violation {
	v := safety.NewViolation(safety.ErrArgument, what, do)
	v.N = n
	return v
}
