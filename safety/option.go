package safety

// Option configures a container when it is made.
type Option struct {
	name  string
	whole any
	made  Site
}

// Named gives a container a name for the texts of violations.
func Named(name string) Option { return Option{name: name} }

// MadeAt sets where the container was made, for one that another container makes for its user. See
// [Caller].
func MadeAt(site Site) Option { return Option{made: site} }

// PartOf makes the container a part of whole, a pointer to a container that is built of others:
// violations name the type of whole. If whole is [Phased] it also hears of the part's phases: after
// the part when they open, and before it when they are sealed. The option then allocates once. The
// part sets their State.
func PartOf(whole any) Option { return Option{whole: whole} }

// part hears of phases for two: a container, and the whole that it is a part of (see Guard.Phases).
type part struct{ own, whole Phased }

// OpenPhase implements Phased.
func (p *part) OpenPhase(phase *Phase) {
	if p.own != nil {
		p.own.OpenPhase(phase)
	} else {
		phase.State = phase.Into
	}
	state := phase.State
	p.whole.OpenPhase(phase)
	phase.State = state
}

// SealPhase implements Phased.
func (p *part) SealPhase(phase *Phase) {
	p.whole.SealPhase(phase)
	if p.own != nil {
		p.own.SealPhase(phase)
	}
}

// apply applies the options.
func (g *Guard) apply(opts []Option) {
	for _, o := range opts {
		if o.name != "" {
			g.name = o.name
		}
		if o.made != 0 {
			g.made = o.made
		}
		if o.whole != nil {
			g.owner = o.whole
			if whole, ok := o.whole.(Phased); ok {
				g.phased = &part{g.phased, whole}
			}
		}
	}
}
