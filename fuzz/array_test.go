package fuzz_test

import (
	"slices"
	"testing"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// slot is an array and the slice that models it.
type slot struct {
	array    *array.Array[int]
	want     []int
	disposed bool
	held     safety.Mode // by the job in flight, 0 for not
}

// arrays runs a program of FuzzArray.
type arrays struct {
	*program
	slots    [2]slot
	inFlight parallelfor.Handle
	hold     chan struct{} // the job in flight waits for it
}

// views reads the views of a job, and adds them to it.
func (p *arrays) views(j *arrayJob) (broken kinds) {
	claims := map[*slot]safety.Mode{}
	claim := func(s *slot, m safety.Mode) {
		if s.disposed {
			broken.add(safety.ErrDisposed)
		}
		if s.held != 0 && (s.held != safety.Read || m != safety.Read) {
			broken.add(safety.ErrConflict)
		}
		if c := claims[s]; c != 0 && (c != m || m == safety.Write) {
			broken.add(safety.ErrAliased)
		}
		claims[s] = m
	}
	for range 1 + p.Below(2) {
		b := p.Next()
		v := arrayView{kind: b % 8 % viewKinds, of: &p.slots[b/8%2], stride: 1}
		switch v.kind {
		case viewReader:
			v.place = len(j.Readers)
			j.Readers = append(j.Readers, v.of.array.Reader())
			claim(v.of, safety.Read)
		case viewRows, viewWriter, viewFree:
			w := v.of.array.Writer()
			if v.kind != viewWriter {
				v.stride = 1 + b/16%4
				w = array.ByRows(w, v.stride)
			}
			if v.kind == viewFree {
				w = array.Unrestricted(w)
			}
			v.place = len(j.Writers)
			j.Writers = append(j.Writers, w)
			claim(v.of, safety.Write)
		case viewOffsets:
			v.offsets = &p.slots[b/16%2]
			v.place = len(j.Offsets)
			j.Offsets = append(j.Offsets, array.ByOffsets(v.of.array.Writer(), v.offsets.array.Reader()))
			claim(v.of, safety.Write)
			claim(v.offsets, safety.Read)
		}
		j.Views = append(j.Views, v)
	}
	return broken
}

// job is a command: a job with one or two views.
func (p *arrays) job() {
	const single, perIndex, perBatch = 0, 1, 2
	shape := p.Next()
	own, shape := shape >= 128, shape%128
	kind, batch, workers := shape%3, shape/3%4, 1+shape/12%3
	n := 0
	j := arrayJob{Got: new([3]gotten)}
	broken := p.views(&j)
	longest := len(p.slots[0].want)
	for _, v := range j.Views {
		if e := v.extent(); e >= 0 {
			longest = e
		}
	}
	if kind != single {
		n = p.Around(longest)
		if n > 64 {
			n = longest + 1
		}
		if batch == 0 {
			batch = -1
		}
		if n < 0 {
			broken.add(safety.ErrLength)
		}
	}
	free := false
	for _, v := range j.Views {
		free = free || v.kind == viewFree
		if e := v.extent(); e >= 0 && n > e {
			broken.add(safety.ErrLength)
		}
	}
	j.Own = !free && own
	most := 3
	if free {
		most = 1 // more might meet at one element
	}
	for j.Count < most && p.Left() > 0 {
		b := p.Next()
		if b&3 == 3 {
			break
		}
		a := act{at: b / 4 % max(n, 1), view: b / 4 % len(j.Views), what: p.Below(actKinds)}
		a.target = p.Around(len(j.Views[a.view].of.want))
		j.Acts[j.Count] = a
		j.Count++
	}
	p.logf("job kind %d n %d batch %d workers %d own %v acts %v", kind, n, batch, workers, j.Own, j.Acts[:j.Count])
	for _, v := range j.Views {
		p.logf("  view %+v", v)
	}
	if !safety.Enabled && len(broken) > 0 {
		return
	}
	options := []parallelfor.Option{parallelfor.Batch(batch), parallelfor.Workers(workers)}
	o := attempt(func() {
		switch kind {
		case single:
			parallelfor.Do(arraySingle{j}, (*arraySingle).Execute)
		case perIndex:
			parallelfor.For(n, j, (*arrayJob).Execute, options...)
		case perBatch:
			parallelfor.ForBatch(n, j, (*arrayJob).ExecuteBatch, options...)
		}
	})
	if len(broken) > 0 {
		p.judge("schedule", o, broken)
		return
	}
	if batch == -1 {
		batch = max(n, 1)
	}
	if kind == single {
		p.predictSingle(&j, o)
		return
	}
	p.predictLoop(&j, o, n, batch, safety.Strict && kind == perIndex)
}

// lend is a command: a job that holds a slot until complete.
func (p *arrays) lend(s *slot, m safety.Mode) {
	if p.hold != nil || s.disposed {
		return
	}
	p.logf("a job takes a slot: %v", m)
	p.hold = make(chan struct{})
	j := holder{Hold: p.hold}
	if m == safety.Read {
		j.Readers = []array.Reader[int]{s.array.Reader()}
	} else {
		j.Writers = []array.Writer[int]{s.array.Writer()}
	}
	p.inFlight = parallelfor.ScheduleDo(j, (*holder).Execute)
	s.held = m
}

// holder is a job that waits.
type holder struct {
	Readers []array.Reader[int]
	Writers []array.Writer[int]
	Hold    <-chan struct{} `custody:"unguarded"`
}

func (j *holder) Execute() {
	<-j.Hold
	for k := range j.Writers {
		change(j.Writers[k].Slice(), 1)
	}
}

func (p *arrays) complete() {
	if p.hold == nil {
		return
	}
	p.logf("Complete")
	close(p.hold)
	p.hold = nil
	p.inFlight.Complete()
	for k := range p.slots {
		s := &p.slots[k]
		if s.held == safety.Write {
			change(s.want, 1)
		}
		s.held = 0
	}
}

func runArray(t *testing.T, input []byte) {
	p := &arrays{program: newProgram(t, input)}
	p.make(&p.slots[0], p.Next()%16, false)
	p.make(&p.slots[1], p.Next()%16, true)
	defer func() {
		if p.hold != nil {
			close(p.hold)
		}
	}()
	for p.More() {
		b := p.Next()
		s := &p.slots[b/16%2]
		switch op := b % 16; op {
		case 0, 1, 2, 3, 4, 5, 6, 7, 8:
			p.owner(s, op)
		case 9:
			if s.held == 0 {
				p.make(s, p.Around(14), b >= 128)
			}
		case 10:
			p.stray(s, p.Below(5))
		case 11:
			p.lend(s, safety.Read+safety.Mode(b/32%2))
		case 12:
			p.complete()
		default:
			p.job()
		}
	}
	p.complete()
	p.last()
}

// last looks at everything once more.
func (p *arrays) last() {
	for k := range p.slots {
		if s := &p.slots[k]; !s.disposed && !slices.Equal(s.array.Slice(), s.want) {
			p.fatalf("slot %d holds %v at the end, expected %v", k, s.array.Slice(), s.want)
		}
	}
}

func FuzzArray(f *testing.F) {
	// Commands: 0 At 1 Set 2 CopyFrom 3 CopyTo 4 Clear 5 All 6 offsets 7 Dispose 8 Len 9 New 10
	// stray 11 lend 12 Complete 13 job; 16 for the second slot. A job: 13, shape (kind, batch 3,
	// workers 12, 128 own), number of views - 1, views (kind, 8 slot, 16 rows or offsets' slot), n
	// + 1, acts.
	f.Add([]byte{8, 5, 1, 1, 0, 1, 0, 9, 1, 230, 2, 9, 3, 9, 5, 4, 8, 7, 7, 0, 1, 8})
	f.Add([]byte{12, 5, 22, 2, 13, 128 + 1 + 3 + 12, 0, viewWriter, 13, 0, actSet, 1, 4, actAt, 6, 13, 128 + 2 + 6, 1, viewReader, 8 + viewWriter, 6})
	f.Add([]byte{12, 9, 13, 129, 0, viewRows + 32, 5, 13, 128 + 13, 0, viewRows + 16, 7, 0, actRow, 1, 0, actRow, 225, 8, actWindow, 0})
	f.Add([]byte{9, 8, 22, 2, 13, 140, 0, viewOffsets + 16, 7, 0, actRow, 3, 4, actWindow, 0, 8, actPtr, 2, 16 + 1, 4, 13, 140, 0, viewOffsets + 16, 7})
	f.Add([]byte{9, 0, 13, 0, 0, viewOffsets + 16, 0, actAt, 1, 13, 1, 0, viewOffsets + 16, 1})
	f.Add([]byte{9, 3, 13, 1, 1, viewReader, viewWriter, 2, 13, 1, 1, viewReader, viewReader, 40, 0, actWindow, 0, 13, 1, 0, viewOffsets, 3})
	f.Add([]byte{9, 3, 13, 14, 0, viewFree, 9, 4, actSet, 8, 13, 0, 0, viewFree, 0, actRow, 2, 10, 0, 1, 10, 1, 1, 10, 2, 0, 10, 3, 0, 10, 4, 3})
	f.Add([]byte{9, 3, 11, 0, 1, 1, 1, 13, 1, 0, viewReader, 3, 13, 1, 0, viewWriter, 3, 7, 12, 1, 1, 43, 0, 1, 5, 4, 7, 12, 5, 7, 5})
	for what := range byte(actKinds) {
		f.Add([]byte{15, 3, 13, 1, 0, viewWriter, 16, 4, what, 1, 8, what, 2, 16, what, 230})
		f.Add([]byte{15, 3, 13, 6, 0, viewRows + 16, 8, 4, what, 1, 8, what, 9, 16, what, 225})
		f.Add([]byte{15, 3, 13, 0, 0, viewRows + 16, 0, what, 225, 0, what, 226, 0, what, 227})
	}
	f.Fuzz(runArray)
}
