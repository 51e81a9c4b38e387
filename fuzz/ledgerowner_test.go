package fuzz_test

import (
	"example.com/custody/safety"
)

// The operations of the owner.
const (
	ownerRead = iota
	ownerWrite
	ownerAdd
	ownerShare
	ownerDispose
)

var ownerNames = [...]string{"read", "write", "add", "share", "dispose"}

// goes is the table of what an owner may do beside jobs that hold the container in mode m.
func goes(op int, m safety.Mode) bool {
	return op == ownerRead && m == safety.Read || op == ownerAdd && m == safety.Append || op == ownerShare && m == safety.Shared
}

// own is a command: an operation of the owner.
func (l *ledger) own(slot, op int) {
	h := l.held[slot]
	if h.array != nil && (op == ownerAdd || op == ownerShare) || h.count != nil && op == ownerShare {
		op = ownerWrite
	}
	l.logf("owner: %s %s", ownerNames[op], h.name)
	var broken kinds
	by := l.excluded(h, func(m safety.Mode) bool { return goes(op, m) })
	if h.disposed {
		broken.add(safety.ErrDisposed)
	} else if len(by) > 0 {
		broken.add(safety.ErrInFlight)
	}
	if len(broken) > 0 && !safety.Enabled {
		return
	}
	var got int64
	o := attempt(func() { got = h.own(op) })
	if !l.judge("owner's "+ownerNames[op]+" of "+h.name, o, broken) {
		if v := o.violation; v.Kind == safety.ErrInFlight && !named(by, v.OtherJob) {
			l.fatalf("the report names the wrong job:\n%v", v)
		}
		return
	}
	switch op {
	case ownerRead:
		if got != h.values[0] {
			l.fatalf("%s is %d, expected %d", h.name, got, h.values[0])
		}
	case ownerWrite:
		h.values[0] = mix(h.values[0], 7)
	case ownerAdd, ownerShare:
		h.values[0] += 5
	case ownerDispose:
		h.disposed = true
	}
}

// own does the operation.
func (h *held) own(op int) int64 {
	switch {
	case h.array != nil:
		switch op {
		case ownerRead:
			return int64(h.array.At(0))
		case ownerWrite:
			s := h.array.Slice()
			s[0] = mixed(s[0], 7)
		case ownerDispose:
			h.array.Dispose()
		}
	case h.count != nil:
		switch op {
		case ownerRead:
			return h.count.Value()
		case ownerWrite:
			h.count.Set(mix(h.values[0], 7))
		case ownerAdd:
			h.count.Add(5)
		case ownerDispose:
			h.count.Dispose()
		}
	default:
		g := &h.vessel.guard
		switch op {
		case ownerRead:
			g.CheckRead()
			return h.vessel.n.Load()
		case ownerWrite:
			g.CheckWrite()
			h.vessel.n.Store(mix(h.vessel.n.Load(), 7))
		case ownerAdd:
			g.CheckAppend()
			h.vessel.n.Add(5)
		case ownerShare:
			g.CheckShared()
			h.vessel.n.Add(5)
		case ownerDispose:
			g.Dispose()
		}
	}
	return 0
}
