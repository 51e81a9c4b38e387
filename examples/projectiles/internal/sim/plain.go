package sim

import "slices"

// Plain is the simulation by hand: the same columns, in slices, and the same steps, in plain loops. Nothing of the library is in it.
type Plain struct {
	config   Config
	targets  plainTargets
	shots    plainShots
	poses    []Pose
	landings []plainLanding
	frame    uint64
	waiting  waiting
	tally    Tally
}

// name is what a target is known by, wherever its row is: a slot, and how many had that before.
type name struct{ slot, gen uint32 }

// slot is where the target of a name is.
type slot struct {
	row uint32
	gen uint32
}

type plainTargets struct {
	names    []name
	number   []uint32
	at       []Vec
	velocity []Vec
	health   []int32

	slots   []slot
	free    []uint32
	next    uint32
	dead    []uint32 // rows that are to be removed
	arrived int      // how many are to be added
}

type plainShots struct {
	order  []plainOrder
	aim    []Vec
	flight []Flight
	landed []bool

	gone []uint32 // rows that are to be removed
	add  []plainShot
	more []plainShot // which the landing ones' guns fire
}

type plainOrder struct {
	gun    uint32
	target name
}

type plainShot struct {
	order  plainOrder
	aim    Vec
	flight Flight
}

type plainLanding struct {
	plainOrder
	hit, jammed bool
}

// NewPlain returns a Plain before its first frame.
func NewPlain(c Config) *Plain {
	p := &Plain{config: c, poses: make([]Pose, c.Guns)}
	p.targets.arrived = c.Targets
	p.targets.apply(c)
	p.waiting.all(c.Guns)
	return p
}

// Step makes a frame.
func (p *Plain) Step() {
	p.settle()
	p.frame++
	p.shots.apply()
	p.seek()
	p.arc()
	p.apply()
	p.fire()
}

// Finish does nothing: nothing goes on between steps.
func (p *Plain) Finish() {}

// Poses returns what is seen of the last frame.
func (p *Plain) Poses() []Pose { return p.poses[:len(p.shots.order)] }

// find returns the row of a target.
func (t *plainTargets) find(n name) (row uint32, ok bool) {
	if s := t.slots[n.slot]; s.gen == n.gen {
		return s.row, true
	}
	return 0, false
}

func (p *Plain) settle() {
	t := &p.targets
	for _, l := range p.landings {
		p.tally.Landed++
		if l.jammed {
			p.waiting.add(p.frame, l.gun)
		} else {
			p.tally.Fired++
		}
		if !l.hit {
			continue
		}
		p.tally.Hits++
		row, _ := t.find(l.target)
		if t.health[row]--; t.health[row] == 0 {
			p.tally.Killed++
			t.dead = append(t.dead, row)
			t.arrived++
		}
	}
	p.landings = p.landings[:0]
	t.apply(p.config)
	for i := range t.at {
		drive(&t.at[i], &t.velocity[i])
	}
}

// apply removes targets, the last one first, each of which the last of all takes the place of, and adds others.
func (t *plainTargets) apply(c Config) {
	slices.Sort(t.dead)
	for _, row := range slices.Backward(t.dead) {
		n := t.names[row]
		t.slots[n.slot].gen++
		t.free = append(t.free, n.slot)
		last := len(t.names) - 1
		t.slots[t.names[last].slot].row = row
		t.names[row], t.names = t.names[last], t.names[:last]
		t.number[row], t.number = t.number[last], t.number[:last]
		t.at[row], t.at = t.at[last], t.at[:last]
		t.velocity[row], t.velocity = t.velocity[last], t.velocity[:last]
		t.health[row], t.health = t.health[last], t.health[:last]
	}
	t.dead = t.dead[:0]
	for ; t.arrived > 0; t.arrived-- {
		n := t.name(uint32(len(t.names)))
		at, velocity := c.begin(t.next)
		t.names = append(t.names, n)
		t.number = append(t.number, t.next)
		t.at = append(t.at, at)
		t.velocity = append(t.velocity, velocity)
		t.health = append(t.health, toughness)
		t.next++
	}
}

// name returns the name of a new target.
func (t *plainTargets) name(row uint32) name {
	if k := len(t.free) - 1; k >= 0 {
		s := t.free[k]
		t.free = t.free[:k]
		t.slots[s].row = row
		return name{s, t.slots[s].gen}
	}
	t.slots = append(t.slots, slot{row, 1})
	return name{uint32(len(t.slots) - 1), 1}
}

// apply does with projectiles what the targets' does with those.
func (s *plainShots) apply() {
	for _, row := range slices.Backward(s.gone) {
		last := len(s.order) - 1
		s.order[row], s.order = s.order[last], s.order[:last]
		s.aim[row], s.aim = s.aim[last], s.aim[:last]
		s.flight[row], s.flight = s.flight[last], s.flight[:last]
	}
	s.gone = s.gone[:0]
	for _, more := range [2][]plainShot{s.add, s.more} {
		for _, r := range more {
			s.order = append(s.order, r.order)
			s.aim = append(s.aim, r.aim)
			s.flight = append(s.flight, r.flight)
		}
	}
	s.add, s.more = s.add[:0], s.more[:0]
	s.landed = slices.Grow(s.landed[:0], len(s.order))[:len(s.order)]
}

// seek, arc and apply are the three jobs.
func (p *Plain) seek() {
	s, t := &p.shots, &p.targets
	for i := range s.order {
		if row, ok := t.find(s.order[i].target); ok {
			s.aim[i] = t.at[row]
		}
	}
}

func (p *Plain) arc() {
	s := &p.shots
	for i, aim := range s.aim {
		pose := &p.poses[i]
		pose.Gun = s.order[i].gun
		fly(&s.flight[i], aim, pose)
		s.landed[i] = pose.Landed
	}
}

func (p *Plain) apply() {
	s, t := &p.shots, &p.targets
	for i, landed := range s.landed {
		if !landed {
			continue
		}
		l := plainLanding{plainOrder: s.order[i]}
		_, l.hit = t.find(l.target)
		l.jammed = p.config.jams(l.gun, p.frame)
		p.landings = append(p.landings, l)
		s.gone = append(s.gone, uint32(i))
		if !l.jammed {
			s.more = append(s.more, p.fired(l.gun))
		}
	}
}

// fire has the guns fire that have waited.
func (p *Plain) fire() {
	for _, gun := range p.waiting.take(p.frame) {
		p.shots.add = append(p.shots.add, p.fired(gun))
		p.tally.Fired++
	}
}

func (p *Plain) fired(gun uint32) plainShot {
	k := p.config.aims(gun, p.frame, len(p.targets.at))
	at := p.targets.at[k]
	return plainShot{plainOrder{gun, p.targets.names[k]}, at, p.config.launch(gun, p.frame, at)}
}
