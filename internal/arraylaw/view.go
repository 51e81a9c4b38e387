package arraylaw

import (
	"strconv"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// TestReadersSeeEverything covers every accessor in every batch, and indices out of range.
func (s *Suite[R, W, PR, PW]) TestReadersSeeEverything() {
	const n = 20
	c := s.filled(n)
	s.Readers.Batch(n, 3, 4, c.Reader(), func(r *R, begin, end int) {
		v := PR(r)
		if v.Len() != n || len(v.Slice()) != n || cap(v.Slice()) != n {
			s.T().Errorf("Len %d, Slice %d of %d", v.Len(), len(v.Slice()), cap(v.Slice()))
		}
		at := 0
		for i, x := range v.All() {
			if i != at || x != 100+i || v.At(i) != x || v.Slice()[i] != x {
				s.T().Errorf("element %d", i)
			}
			at++
		}
		for i := range v.All() {
			if i == 1 {
				break
			}
		}
		for _, i := range outside(n) {
			if bad := Refused(i, 0, n, n, func() { v.At(i) }); bad != "" {
				s.T().Error(bad)
			}
		}
		if at != n {
			s.T().Errorf("All stopped at %d", at)
		}
	})
}

// TestReadersOfNothing checks that an empty container can be borrowed.
func (s *Suite[R, W, PR, PW]) TestReadersOfNothing() {
	c := s.New(0)
	s.Readers.Once(c.Reader(), func(r *R) {
		s.Zero(PR(r).Len())
		s.Empty(PR(r).Slice())
		s.Empty(Refused(0, 0, 0, 0, func() { PR(r).At(0) }))
	})
	s.Writers.Once(c.Writer(), func(w *W) {
		s.Empty(PW(w).Slice())
		s.Empty(Refused(0, 0, 0, 0, func() { PW(w).Set(0, 1) }))
	})
	s.Writers.Each(0, 0, 4, c.Writer(), func(*W, int) { s.Fail("there is no index") })
}

// ownRange tries every accessor of a writer in a batch that owns [min, max) of length elements, and
// returns what is wrong. It adds 1 to every element that the batch owns.
func ownRange[W any, PW WriteView[W]](w *W, min, max, length int) (bad []string) {
	v := PW(w)
	if v.Begin() != min || len(v.Slice()) != max-min || cap(v.Slice()) != max-min {
		bad = append(bad, "the window is "+strconv.Itoa(len(v.Slice()))+" of "+strconv.Itoa(cap(v.Slice()))+" from "+strconv.Itoa(v.Begin()))
	}
	_ = append(v.Slice(), -1) // must not write the neighbor's element
	at := min
	for i, x := range v.All() {
		if i != at || v.At(i) != x || *v.Ptr(i) != x || v.Slice()[i-min] != x {
			bad = append(bad, "element "+strconv.Itoa(i))
		}
		at++
	}
	if at != max {
		bad = append(bad, "All stopped at "+strconv.Itoa(at))
	}
	for range v.All() {
		break
	}
	for _, i := range append(outside(length), min-1, max) {
		for _, f := range []func(){func() { v.At(i) }, func() { v.Set(i, -1) }, func() { v.Ptr(i) }} {
			if r := Refused(i, min, max, length, f); r != "" {
				bad = append(bad, r)
			}
		}
	}
	for i := min; i < max; i++ {
		switch i % 3 {
		case 0:
			v.Set(i, v.At(i)+1)
		case 1:
			*v.Ptr(i)++
		default:
			v.Slice()[i-min]++
		}
	}
	return bad
}

// restored returns what is wrong with a container whose elements were 0 and of which those below n
// have been incremented once.
func (s *Suite[R, W, PR, PW]) restored(c Container[R, W], n int) (bad []string) {
	for i, x := range c.All() {
		if i < n && x != 1 || i >= n && x != 0 {
			bad = append(bad, "element "+strconv.Itoa(i)+" is "+strconv.Itoa(x))
		}
	}
	return bad
}

// TestAWriterOwnsItsBatch checks that every accessor refuses the neighbors at both ends of a batch,
// and that no window reaches into the next batch. It covers random lengths, batches and numbers of
// workers.
func (s *Suite[R, W, PR, PW]) TestAWriterOwnsItsBatch() {
	Property(s.T(), 200, "off by one at every border", prop.ForAll(
		func(n, spare, batch, workers int) string {
			batch = min(batch, n)
			c := s.New(n + spare)
			wrong := make([][]string, n)
			s.Writers.Batch(n, batch, workers, c.Writer(), func(w *W, begin, end int) {
				wrong[begin] = ownRange[W, PW](w, begin, end, n+spare)
			})
			return first(append(wrong, s.restored(c, n)))
		},
		gen.IntRange(1, 64), gen.IntRange(0, 3), gen.IntRange(1, 64), gen.IntRange(1, 8),
	))
}

// TestAWriterOwnsItsBatchInPerIndexLoops checks that a body may use the whole batch in ordinary
// builds, and only its index in strict ones.
func (s *Suite[R, W, PR, PW]) TestAWriterOwnsItsBatchInPerIndexLoops() {
	Property(s.T(), 100, "off by one", prop.ForAll(
		func(n, batch, workers int) string {
			batch = min(batch, n)
			c := s.New(n)
			wrong := make([][]string, n)
			s.Writers.Each(n, batch, workers, c.Writer(), func(w *W, i int) {
				begin := i / batch * batch
				end := min(begin+batch, n)
				if safety.Strict {
					begin, end = i, i+1
				}
				if safety.Strict || i == begin {
					wrong[i] = ownRange[W, PW](w, begin, end, n)
				}
			})
			return first(append(wrong, s.restored(c, n)))
		},
		gen.IntRange(1, 40), gen.IntRange(1, 40), gen.IntRange(1, 8),
	))
}

// first returns the first text, with which a property fails, or the empty string.
func first(wrong [][]string) string {
	for _, w := range wrong {
		for _, x := range w {
			return x
		}
	}
	return ""
}

// TestASingleJobOwnsEverything checks that a single job may write all elements.
func (s *Suite[R, W, PR, PW]) TestASingleJobOwnsEverything() {
	c := s.New(9)
	s.Writers.Once(c.Writer(), func(w *W) { s.Empty(ownRange[W, PW](w, 0, 9, 9)) })
	s.Empty(s.restored(c, 9))
}

// TestALoopLongerThanTheContainerIsRefused checks that the violation has both numbers and that the
// container is not held afterwards. A shorter loop is legal.
func (s *Suite[R, W, PR, PW]) TestALoopLongerThanTheContainerIsRefused() {
	lawtest.CheckedOnly(s.T())
	c := s.New(10)
	for _, n := range []int{11, 1000} {
		v := Breaks(s.T(), safety.ErrLength, func() { s.Writers.Each(n, 0, 2, c.Writer(), func(*W, int) { s.Fail("ran") }) })
		s.Equal([]int{n, 10}, []int{v.N, v.Length})
		s.ErrorContains(v, strconv.Itoa(n))
		s.ErrorContains(v, "10")
		clear(c.Slice())
	}
	for _, n := range []int{0, 1, 9, 10} {
		c := s.New(10)
		s.Writers.Each(n, 0, 2, c.Writer(), func(w *W, i int) { PW(w).Set(i, 1) })
		s.Empty(s.restored(c, n))
	}
}

// TestAViewIsStaleOutsideJobs covers every accessor, for views of a container and for zero values.
func (s *Suite[R, W, PR, PW]) TestAViewIsStaleOutsideJobs() {
	c := s.filled(3)
	r, w := c.Reader(), c.Writer()
	var noR R
	var noW W
	for _, v := range []PR{&r, &noR} {
		s.stale(map[string]func(){"At": func() { v.At(0) }})
		if safety.Enabled {
			s.stale(readerWindows[R, PR](v))
		}
	}
	for _, v := range []PW{&w, &noW} {
		s.stale(writerIndices[W, PW](v))
		if safety.Enabled {
			s.stale(writerWindows[W, PW](v))
		}
	}
}

func readerWindows[R any, PR ReadView[R]](v PR) map[string]func() {
	return map[string]func(){"Slice": func() { v.Slice() }, "All": func() {
		for range v.All() {
		}
	}}
}

func writerWindows[W any, PW WriteView[W]](v PW) map[string]func() {
	return map[string]func(){"Slice": func() { v.Slice() }, "All": func() {
		for range v.All() {
		}
	}}
}

func writerIndices[W any, PW WriteView[W]](v PW) map[string]func() {
	return map[string]func(){"At": func() { v.At(0) }, "Set": func() { v.Set(0, 1) }, "Ptr": func() { v.Ptr(0) }}
}

func (s *Suite[R, W, PR, PW]) stale(uses map[string]func()) {
	s.T().Helper()
	for name, f := range uses {
		v := Breaks(s.T(), safety.ErrStaleView, f, name)
		s.Empty(v.Job, name)
	}
}

// TestAViewIsStaleAfterItsJob checks that windows are refused in every build, indices in strict
// ones, and that the view cannot be scheduled.
func (s *Suite[R, W, PR, PW]) TestAViewIsStaleAfterItsJob() {
	lawtest.CheckedOnly(s.T())
	c := s.filled(3)
	var r R
	var w W
	s.Readers.Once(c.Reader(), func(v *R) { r = *v })
	s.Writers.Once(c.Writer(), func(v *W) { w = *v })
	s.stale(readerWindows[R, PR](&r))
	s.stale(writerWindows[W, PW](&w))
	if safety.Strict {
		s.stale(map[string]func(){"At": func() { PR(&r).At(0) }})
		s.stale(writerIndices[W, PW](&w))
	}
	Breaks(s.T(), safety.ErrStaleView, func() { s.Readers.Hold(r) })
	Breaks(s.T(), safety.ErrStaleView, func() { s.Writers.Hold(w) })
}

// TestAViewIsStaleInTheNextBatch checks that a batch cannot use a copy that an earlier batch kept.
func (s *Suite[R, W, PR, PW]) TestAViewIsStaleInTheNextBatch() {
	lawtest.CheckedOnly(s.T())
	if atom.Race {
		s.T().Skip("one batch using what another kept is a race, and reported as one")
	}
	c := s.filled(2)
	var kept W
	s.Writers.Batch(2, 1, 1, c.Writer(), func(w *W, begin, _ int) {
		if begin == 0 {
			kept = *w
			return
		}
		s.stale(writerWindows[W, PW](&kept))
		if safety.Strict {
			s.stale(writerIndices[W, PW](&kept))
		}
	})
}

// TestAViewServesManyJobs checks that a view that is kept outside of jobs can be scheduled again
// and again, also after refusals.
func (s *Suite[R, W, PR, PW]) TestAViewServesManyJobs() {
	c := s.New(8)
	r, w := c.Reader(), c.Writer()
	for k := range 20 {
		s.Writers.Each(8, 1+k%4, 1+k%3, w, func(v *W, i int) { PW(v).Set(i, k*i) })
		if safety.Enabled {
			Breaks(s.T(), safety.ErrLength, func() { s.Writers.Each(9, 0, 1, w, func(*W, int) {}) })
		}
		s.Readers.Each(8, 1+k%4, 1+k%3, r, func(v *R, i int) {
			if PR(v).At(i) != k*i {
				s.T().Errorf("element %d is %d in round %d", i, PR(v).At(i), k)
			}
		})
	}
}

// TestWritersExcludeEachOther checks that two unordered jobs cannot both write the container, and
// that the violation names the holder.
func (s *Suite[R, W, PR, PW]) TestWritersExcludeEachOther() {
	lawtest.CheckedOnly(s.T())
	c := s.New(3, safety.Named("both"))
	h := s.Writers.Hold(c.Writer())
	v := Breaks(s.T(), safety.ErrConflict, func() { s.Writers.Hold(c.Writer()) })
	s.Equal([]string{"holder", "View", "holder", "View", s.Type + ` "both"`}, []string{v.Job, v.Field, v.OtherJob, v.OtherField, v.Container})
	Breaks(s.T(), safety.ErrConflict, func() { s.Readers.Hold(c.Reader()) })
	h.Complete()
	s.Writers.Hold(c.Writer()).Complete()
}
