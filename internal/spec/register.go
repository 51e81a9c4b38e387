package spec

import (
	"fmt"

	"example.com/custody/internal/linear"
)

// RegisterIn is an operation of a register.
type RegisterIn struct {
	Op    Op
	Value int // of Store and Swap, and the new one of CompareAndSwap
	Old   int // of CompareAndSwap
}

// RegisterOut is the answer of a register.
type RegisterOut struct {
	Value int  // of Load and Swap
	OK    bool // of CompareAndSwap
}

// Register is the specification of one value, which is 0 at first.
//
//	Load            answers the Value
//	Store           replaces the value by Value; no answer
//	Swap            replaces the value by Value and answers the previous one
//	CompareAndSwap  replaces Old by Value. OK false: the value was not Old
func Register() *linear.Spec[int, RegisterIn, RegisterOut] {
	return &linear.Spec[int, RegisterIn, RegisterOut]{
		Step: registerStep, Next: registerNext, Reads: registerReads, Text: registerText,
	}
}

func registerStep(s int, in RegisterIn, out RegisterOut) (int, bool) {
	switch in.Op {
	case Load:
		return s, out.Value == s
	case Store:
		return in.Value, true
	case Swap:
		return in.Value, out.Value == s
	case CompareAndSwap:
		if out.OK != (s == in.Old) {
			return s, false
		}
		if out.OK {
			s = in.Value
		}
		return s, true
	}
	unknown(in.Op, "Register")
	return s, false
}

func registerNext(s int, in RegisterIn) []int {
	if in.Op == Load || in.Op == CompareAndSwap && s != in.Old {
		return nil
	}
	return []int{in.Value}
}

func registerReads(in RegisterIn, out RegisterOut) bool {
	return in.Op == Load || in.Op == CompareAndSwap && !out.OK
}

func registerText(in RegisterIn, out RegisterOut) string {
	switch in.Op {
	case Load:
		return fmt.Sprintf("Load() = %d", out.Value)
	case Swap:
		return fmt.Sprintf("Swap(%d) = %d", in.Value, out.Value)
	case CompareAndSwap:
		return fmt.Sprintf("CompareAndSwap(%d, %d) = %t", in.Old, in.Value, out.OK)
	}
	return fmt.Sprintf("%v(%d)", in.Op, in.Value)
}
