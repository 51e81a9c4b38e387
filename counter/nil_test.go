package counter

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/safety"
)

// A container that was never made, as a nil field of a program is, gives views: it is the job that
// is refused, with the name of the field that has none.
func TestAJobWithAViewOfNoContainerIsRefused(t *testing.T) {
	checked(t)
	var (
		c    *Counter
		s    *Sum[float64]
		h    *Histogram
		low  *Min[int]
		high *Max[int]
	)
	for name, take := range map[string]func() func() bound{
		"Counter.Reader":           func() func() bound { return copies(c.Reader()) },
		"Counter.ParallelWriter":   func() func() bound { return copies(c.ParallelWriter()) },
		"Sum.Reader":               func() func() bound { return copies(s.Reader()) },
		"Sum.ParallelWriter":       func() func() bound { return copies(s.ParallelWriter()) },
		"Min.Reader":               func() func() bound { return copies(low.Reader()) },
		"Min.ParallelWriter":       func() func() bound { return copies(low.ParallelWriter()) },
		"Max.Reader":               func() func() bound { return copies(high.Reader()) },
		"Max.ParallelWriter":       func() func() bound { return copies(high.ParallelWriter()) },
		"Histogram.Reader":         func() func() bound { return copies(h.Reader()) },
		"Histogram.Writer":         func() func() bound { return copies(h.Writer()) },
		"Histogram.ParallelWriter": func() func() bound { return copies(h.ParallelWriter()) },
	} {
		t.Run(name, func(t *testing.T) {
			ran := false
			v := violation(t, inside(take(), func(bound) { ran = true }))
			require.ErrorIs(t, v, safety.ErrUnassigned)
			require.Equal(t, []string{"Job", "View", ""}, []string{v.Job, v.Field, v.Container})
			require.False(t, ran)
		})
	}
}
