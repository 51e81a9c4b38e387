package index

import (
	"fmt"
	"io"
	"slices"
	"time"
)

// Times are the durations of passes over one tree.
type Times []time.Duration

// Median returns the middle one, the upper of two; 0 of none.
func (t Times) Median() time.Duration {
	if len(t) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(t))
	return s[len(s)/2]
}

// SpeedUp returns how many times as fast the parallel passes were, by the medians; 0 when that cannot
// be told.
func (m *Measured) SpeedUp() float64 {
	s, p := m.SequentialTimes.Median(), m.ParallelTimes.Median()
	if p <= 0 {
		return 0
	}
	return float64(s) / float64(p)
}

// WriteSpeed writes how long a pass of each loop took, and how many times as fast the parallel one was.
func WriteSpeed(w io.Writer, m *Measured, workers int) error {
	bytes := m.Result().Sum(Bytes)
	if _, err := fmt.Fprintf(w, "sequential  %s\n", speed(m.SequentialTimes, bytes)); err != nil {
		return err
	}
	if m.Parallel == nil {
		return nil
	}
	_, err := fmt.Fprintf(w, "parallel    %s, %d workers: %.2f times as fast (medians of %d)\n",
		speed(m.ParallelTimes, bytes), workers, m.SpeedUp(), len(m.ParallelTimes))
	return err
}

func speed(t Times, bytes int64) string {
	m := t.Median()
	if m <= 0 {
		return m.String()
	}
	return fmt.Sprintf("%v, %.0f MB/s", m.Round(m/1000+1), float64(bytes)/1e6/m.Seconds())
}
