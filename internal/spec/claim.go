package spec

import (
	"fmt"

	"example.com/custody/internal/linear"
)

// ClaimIn is an operation of a claim.
type ClaimIn struct {
	Op Op
}

// ClaimOut is the answer of a claim.
type ClaimOut struct {
	OK bool // of Acquire and AcquireShared
}

// Holders is the state of a claim.
type Holders struct {
	// Shared is the number of shared holders.
	Shared int
	// Alone reports whether there is an exclusive holder.
	Alone bool
}

// String returns the state as "free", "held alone" or "held by" and the number of holders.
func (h Holders) String() string {
	switch {
	case h.Alone:
		return "held alone"
	case h.Shared > 0:
		return fmt.Sprintf("held by %d", h.Shared)
	}
	return "free"
}

// Claim is the specification of a claim, which has any number of shared holders or one exclusive
// holder. Its operations never wait.
//
//	Acquire        takes the claim exclusively. OK false: it was held
//	AcquireShared  takes the claim together with others. OK false: it was held exclusively
//	Release        ends an Acquire, which must exist; no answer
//	ReleaseShared  ends an AcquireShared, which must exist; no answer
func Claim() *linear.Spec[Holders, ClaimIn, ClaimOut] {
	return &linear.Spec[Holders, ClaimIn, ClaimOut]{Step: claimStep, Next: claimNext, Reads: claimReads, Text: claimText}
}

func claimStep(s Holders, in ClaimIn, out ClaimOut) (Holders, bool) {
	free := !s.Alone
	switch in.Op {
	case Acquire:
		free = free && s.Shared == 0
		if out.OK && free {
			s.Alone = true
		}
		return s, out.OK == free
	case AcquireShared:
		if out.OK && free {
			s.Shared++
		}
		return s, out.OK == free
	case Release:
		return Holders{s.Shared, false}, s.Alone
	case ReleaseShared:
		return Holders{s.Shared - 1, s.Alone}, s.Shared > 0
	}
	unknown(in.Op, "Claim")
	return s, false
}

func claimNext(s Holders, in ClaimIn) []Holders {
	if next, ok := claimStep(s, in, ClaimOut{true}); ok {
		return []Holders{next}
	}
	return nil
}

func claimReads(in ClaimIn, out ClaimOut) bool {
	return !out.OK && (in.Op == Acquire || in.Op == AcquireShared)
}

func claimText(in ClaimIn, out ClaimOut) string {
	if in.Op == Acquire || in.Op == AcquireShared {
		return fmt.Sprintf("%v() = %t", in.Op, out.OK)
	}
	return in.Op.String() + "()"
}
