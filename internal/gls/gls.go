// Package gls tells a function which numbered call it runs under.
//
// Go has no goroutine-local storage, and the library needs none on its hot paths. But a schedule
// from inside a job's body must know which batch it comes from, and so must a container made there.
// [Call] runs a function under a number that it writes into the stack itself. The stack gets one
// frame for each hexadecimal digit. Each of the 16 digits has a function of its own, so the return
// address in the frame tells the digit. [Current] walks the stack of the calling goroutine and
// reads the number back. Calls nest; the innermost counts. A goroutine started inside has a stack
// of its own and is not under the number.
//
// The idea is that of Jeff Wendling's gls package (2013). Here init learns the return addresses by
// running each function, and nothing is looked up by name.
//
// Cost: Call about 1.5 ns a digit; Current some hundred nanoseconds plus about 15 ns for each frame
// above the number.
package gls

import "runtime"

// Batches have the numbers below Others. The numbers from Others on are those of functions that
// containers call, and the numbers from Callbacks on those of functions that jobs call. A search
// for a batch passes both by.
const (
	Others    = 1 << 31
	Callbacks = Others | 1<<30
)

// Runner is what [Call] runs.
type Runner interface{ Run() }

// TellSeal runs r, which calls functions of the program, for a container that is being sealed.
// phase is the *safety.Phase that its SealPhase was given. r may run on any goroutine until
// SealPhase returns. If r waits for the job, the wait is recognized as one in SealPhase is.
//
// Package safety sets TellSeal.
var TellSeal func(phase any, r Runner)

// IsBatch reports whether n is the number of a batch that is being executed. The number of a batch
// whose body has ended its goroutine stays on the stack while deferred functions run. Package
// safety sets IsBatch.
var IsBatch func(n uint32) bool

// Within runs r under the number of a *safety.Scope, on a goroutine that works on the batch of that
// scope beside the worker's own. Package safety sets Within.
var Within func(scope any, r Runner)

// Watched reports whether jobs that the garbage collector finds are reported. Package safety sets
// Watched.
var Watched func() bool

// digits[d] is the function whose frame stands for the digit d.
var digits [16]func(r Runner, rest uint64)

//go:noinline
func d0(r Runner, rest uint64) { step(r, rest) }

//go:noinline
func d1(r Runner, rest uint64) { step(r, rest) }

//go:noinline
func d2(r Runner, rest uint64) { step(r, rest) }

//go:noinline
func d3(r Runner, rest uint64) { step(r, rest) }

//go:noinline
func d4(r Runner, rest uint64) { step(r, rest) }

//go:noinline
func d5(r Runner, rest uint64) { step(r, rest) }

//go:noinline
func d6(r Runner, rest uint64) { step(r, rest) }

//go:noinline
func d7(r Runner, rest uint64) { step(r, rest) }

//go:noinline
func d8(r Runner, rest uint64) { step(r, rest) }

//go:noinline
func d9(r Runner, rest uint64) { step(r, rest) }

//go:noinline
func d10(r Runner, rest uint64) { step(r, rest) }

//go:noinline
func d11(r Runner, rest uint64) { step(r, rest) }

//go:noinline
func d12(r Runner, rest uint64) { step(r, rest) }

//go:noinline
func d13(r Runner, rest uint64) { step(r, rest) }

//go:noinline
func d14(r Runner, rest uint64) { step(r, rest) }

//go:noinline
func d15(r Runner, rest uint64) { step(r, rest) }

// step puts the next digit on the stack, or runs r when all digits are there. rest holds the digits
// that are still to come, the next one in its lowest 4 bits, below a leading 1.
//
//go:noinline
func step(r Runner, rest uint64) {
	if rest == 1 {
		r.Run()
		return
	}
	digits[rest&15](r, rest>>4)
}

// Call runs r under the number n. It puts the highest digit on the stack first, so [Current] meets
// the lowest first.
//
//go:noinline
func Call(n uint32, r Runner) {
	rest := uint64(1)
	for ok := true; ok; ok = n != 0 {
		rest = rest<<4 | uint64(n&15)
		n >>= 4
	}
	step(r, rest)
}

// probe records where the frames of the digits and of Call return to.
type probe struct{ pcs [4]uintptr }

func (p *probe) Run() { runtime.Callers(2, p.pcs[:]) }

// learnt holds the return address in the frame of each digit, the span lo to hi of these addresses,
// and the return address in the frame of Call as end. Only init writes it.
var learnt struct {
	digit  [16]uintptr
	lo, hi uintptr
	end    uintptr
}

func init() {
	digits = [16]func(Runner, uint64){d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15}
	for d := range digits {
		var p probe
		Call(uint32(d), &p)
		// The stack inside Run was: step, digit, step, Call.
		pc := p.pcs[1]
		learnt.digit[d] = pc
		learnt.end = p.pcs[3]
		if d == 0 {
			learnt.lo, learnt.hi = pc, pc
		}
		learnt.lo, learnt.hi = min(learnt.lo, pc), max(learnt.hi, pc)
	}
}

// Current returns the number of the innermost Call that the calling goroutine is under and that
// live accepts. It calls live with the number of each Call, from the innermost outwards. A Call on
// the stack may have ended: when runtime.Goexit ends a goroutine, deferred functions run on top of
// the frames that it ends.
func Current(live func(n uint32) bool) (n uint32, ok bool) {
	var pcs [64]uintptr
	shift := 0
	for skip := 2; ; skip += len(pcs) {
		k := runtime.Callers(skip, pcs[:])
		for _, pc := range pcs[:k] {
			if pc == learnt.end {
				if live(n) {
					return n, true
				}
				n, shift = 0, 0
				continue
			}
			if pc < learnt.lo || pc > learnt.hi {
				continue
			}
			for d, a := range learnt.digit {
				if pc == a {
					n |= uint32(d) << shift
					shift += 4
					break
				}
			}
		}
		if k < len(pcs) {
			return 0, false
		}
	}
}
