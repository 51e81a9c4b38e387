package fuzz_test

import (
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// vessel is a container of one number that has views of all four modes, made as any user would make
// one. It notes for itself which phases are open together, as a second opinion on the ledger's. The
// race detector does not see its words, so it orders nothing for the other containers.
type vessel struct {
	guard  safety.Guard
	n      atom.HiddenInt64
	phases atom.HiddenUint64 // how many phases of each mode are open, 16 bits each
	broken atom.HiddenUint32 // 1 when phases that exclude each other were open together
}

func newVessel() *vessel {
	v := new(vessel)
	v.guard.Init(v, 0)
	return v
}

func (v *vessel) view(m safety.Mode) vesselView {
	return vesselView{Hold: v.guard.Hold(m, nil), of: v, mode: m}
}

func phaseOne(m safety.Mode) uint64 { return 1 << (16 * (m - safety.Read)) }

// OpenPhase implements safety.Phased.
func (v *vessel) OpenPhase(p *safety.Phase) {
	w := v.phases.Add(phaseOne(p.Mode))
	own := w >> (16 * (p.Mode - safety.Read)) & 0xffff
	if w != own*phaseOne(p.Mode) || own > 1 && p.Mode != safety.Read && p.Mode != safety.Shared {
		v.broken.Store(1)
	}
	if p.Mode == safety.Append {
		p.State = new(atom.HiddenInt64)
	}
}

// SealPhase implements safety.Phased.
func (v *vessel) SealPhase(p *safety.Phase) {
	if p.Mode == safety.Append {
		v.n.Add(p.State.(*atom.HiddenInt64).Load())
	}
	v.phases.Add(-phaseOne(p.Mode))
}

type vesselView struct {
	safety.Hold
	mode   safety.Mode
	of, on *vessel
	added  *atom.HiddenInt64
}

// Bind implements safety.Binder.
func (w *vesselView) Bind(b safety.Binding) {
	w.Hold.Bind(b)
	w.on = w.of
	w.added, _ = b.State().(*atom.HiddenInt64)
}

func (w *vesselView) load() int64 {
	w.Hold.Check()
	return w.on.n.Load()
}

func (w *vesselView) store(n int64) {
	w.Hold.Check()
	w.on.n.Store(n)
}

// add adds as the view's mode does.
func (w *vesselView) add(d int64) {
	w.Hold.Check()
	if w.mode == safety.Append {
		w.added.Add(d)
		return
	}
	w.on.n.Add(d)
}
