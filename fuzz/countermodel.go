package fuzz

import (
	"fmt"
	"math"
)

// counterModel is a counter with the number that models it.
type counterModel struct {
	CounterOf
	want   int64
	locals []LocalOf
}

// manyLocals is the largest number of handles in a program.
const manyLocals = 5

// summand converts an operand to a number near 0 or near the ends of the range.
func summand(x int) int64 {
	switch x % 8 {
	case 6:
		return math.MaxInt64 - int64(x)
	case 7:
		return math.MinInt64 + int64(x)
	}
	return int64(x) - 100
}

// script returns the sequential contract of a counter.
func (c *counterSuite) script() *script[*counterModel] {
	s := &script[*counterModel]{
		make: func(int) *counterModel { return &counterModel{CounterOf: c.fresh()} },
		end:  (*counterModel).value,
	}
	s.add(true, 4, "Add", 1, func(m *counterModel, x, _ int) string {
		m.Add(summand(x))
		m.want += summand(x)
		return ""
	})
	s.add(true, 3, "Value", 0, func(m *counterModel, _, _ int) string { return m.value() })
	s.add(c.like.Set != nil, 1, "Set", 1, func(m *counterModel, x, _ int) string {
		m.Set(summand(x))
		m.want = summand(x)
		return m.value()
	})
	s.add(c.like.Swap != nil, 2, "Swap", 1, func(m *counterModel, x, _ int) string {
		old := m.want
		m.want = summand(x)
		if got := m.Swap(m.want); got != old {
			return fmt.Sprintf("Swap gave %d, expected %d", got, old)
		}
		return ""
	})
	s.add(c.like.Reset != nil, 1, "Reset", 0, func(m *counterModel, _, _ int) string {
		m.Reset()
		m.want = 0
		return m.value()
	})
	if c.like.Local == nil {
		return s
	}
	s.add(true, 2, "Local", 0, func(m *counterModel, _, _ int) string {
		if len(m.locals) < manyLocals {
			m.locals = append(m.locals, m.Local())
		}
		return ""
	})
	s.add(true, 4, "Local.Add", 2, func(m *counterModel, x, y int) string {
		if n := len(m.locals); n > 0 {
			m.locals[y%n].Add(summand(x))
			m.want += summand(x)
		}
		return ""
	})
	s.add(true, 1, "Local.Close", 1, func(m *counterModel, x, _ int) string {
		n := len(m.locals)
		if n == 0 || m.locals[x%n].Close == nil {
			return ""
		}
		m.locals[x%n].Close()
		m.locals[x%n] = m.locals[n-1]
		m.locals = m.locals[:n-1]
		return m.value()
	})
	return s
}

func (m *counterModel) value() string {
	if got := m.Value(); got != m.want {
		return fmt.Sprintf("Value is %d, expected %d", got, m.want)
	}
	return ""
}
