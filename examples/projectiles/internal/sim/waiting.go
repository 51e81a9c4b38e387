package sim

// waiting is the guns that are silent, by the frame in which they fire again.
type waiting [pause][]uint32

// all has every gun wait for the first frame.
func (w *waiting) all(guns int) {
	for gun := range guns {
		w[1] = append(w[1], uint32(gun))
	}
}

// add has a gun wait whose projectile has landed in this frame.
func (w *waiting) add(frame uint64, gun uint32) {
	w[frame%pause] = append(w[frame%pause], gun)
}

// take returns the guns that fire in this frame.
func (w *waiting) take(frame uint64) []uint32 {
	guns := w[frame%pause]
	w[frame%pause] = guns[:0]
	return guns
}
