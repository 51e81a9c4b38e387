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

// SpeedUp returns how many times as fast the parallel passes were; see [Ratio].
func (m *Measured) SpeedUp() float64 { return Ratio(m.SequentialTimes, m.ParallelTimes) }

// Ratio returns how many times as fast the parallel passes were, by the medians; 0 when that cannot be told.
func Ratio(sequential, parallel Times) float64 {
	s, p := sequential.Median(), parallel.Median()
	if p <= 0 {
		return 0
	}
	return float64(s) / float64(p)
}

// WriteSpeed writes how long a pass of each loop took; see [WriteTimes].
func WriteSpeed(w io.Writer, m *Measured, workers int) error {
	return WriteTimes(w, m.SequentialTimes, m.ParallelTimes, m.Result().Sum(Bytes), workers)
}

// WriteTimes writes how long a pass of each loop took over so many bytes, and how many times as fast the parallel one
// was, if that ran.
func WriteTimes(w io.Writer, sequential, parallel Times, bytes int64, workers int) error {
	if _, err := fmt.Fprintf(w, "sequential  %s\n", speed(sequential, bytes)); err != nil {
		return err
	}
	if len(parallel) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "parallel    %s, %d workers: %.2f times as fast (medians of %d)\n",
		speed(parallel, bytes), workers, Ratio(sequential, parallel), len(parallel))
	return err
}

func speed(t Times, bytes int64) string {
	m := t.Median()
	if m <= 0 {
		return m.String()
	}
	return fmt.Sprintf("%v, %.0f MB/s", m.Round(m/1000+1), float64(bytes)/1e6/m.Seconds())
}
