package svg

import "math"

// Ticks returns the multiples of 1, 2 or 5 times a power of ten from lo to hi, at most so many.
// hi must be above lo, and most at least 2.
func Ticks(lo, hi float64, most int) (values []float64) {
	step := math.Pow(10, math.Floor(math.Log10((hi-lo)/float64(most))))
	for _, times := range []float64{1, 2, 5, 10, 20} {
		s := times * step
		first, last := math.Ceil(lo/s-1e-9), math.Floor(hi/s+1e-9)
		if last-first >= float64(most) {
			continue
		}
		for k := first; k <= last; k++ {
			values = append(values, k*s+0) // never -0
		}
		return values
	}
	return nil
}

// LogTicks returns values for a logarithmic axis from lo to hi, at most so many: 1, 2 and 5 times
// powers of ten, powers of ten, or fewer of these. lo must be above 0, and hi above lo.
func LogTicks(lo, hi float64, most int) []float64 {
	first, last := int(math.Floor(math.Log10(lo))), int(math.Ceil(math.Log10(hi)))
	for _, times := range [][]float64{{1, 2, 5}, {1}} {
		if values := powers(lo, hi, first, last, 1, times); len(values) <= most {
			return values
		}
	}
	for every := 2; ; every++ {
		if values := powers(lo, hi, first, last, every, []float64{1}); len(values) <= most {
			return values
		}
	}
}

func powers(lo, hi float64, first, last, every int, times []float64) (values []float64) {
	for e := first; e <= last; e++ {
		if e%every != 0 {
			continue
		}
		for _, m := range times {
			if v := m * math.Pow10(e); v >= lo*(1-1e-9) && v <= hi*(1+1e-9) {
				values = append(values, v)
			}
		}
	}
	return values
}
