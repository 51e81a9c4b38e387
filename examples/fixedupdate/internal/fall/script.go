package fall

import (
	"sync"

	"example.com/custody/examples/fixedupdate/internal/motion"
)

// Script is what happens to the items of a world. It makes them, and decides by their numbers and a seed who is registered, removed and killed
// when: the same in every world.
type Script struct {
	World
	Steps int
	Wrong int // items that were refused when they were registered

	churn  int
	random random
	all    []Object // as they were made
	living []Object // registered, and neither removed nor killed; some have burnt out
}

// Life is how many steps an item takes until it has burnt out. Of those that are there at first, some have nearly done so.
const Life = 200

// NewScript registers n items with a world that has none. In each step churn items are registered; a quarter as many are removed, and a quarter
// die; one is registered and removed at once; and some requests
// are made that make no sense.
func NewScript(w World, n, churn int, seed uint64) *Script {
	s := &Script{World: w, churn: churn, random: random(seed)}
	for range n {
		o := s.object()
		o.self().body.Left = int32(1 + s.random.below(Life))
		s.register(o)
		s.living = append(s.living, o)
	}
	s.register(nil)
	s.register((*Stone)(nil))
	return s
}

func (s *Script) register(it Item) {
	if err := s.Register(it); err != nil {
		s.Wrong++
	}
}

// object makes the next one.
func (s *Script) object() Object {
	r := &s.random
	b := motion.Body{
		At:    motion.Vec{X: r.within(50), Y: r.within(50), Z: r.within(50)},
		Speed: motion.Vec{X: r.within(5), Y: r.within(5), Z: r.within(5)},
		Turn:  motion.Upright,
		Spin:  motion.Vec{X: r.within(3), Y: r.within(3), Z: r.within(3)},
		Left:  Life,
	}
	var o Object
	switch r.below(3) {
	case 0:
		b.Shape = motion.Shape{Drag: 0.002 + r.within(0.001), Friction: 0.1}
		o = &Stone{}
	case 1:
		b.Shape = motion.Shape{Drag: 0.5 + r.within(0.2), Friction: 0.5}
		o = &Feather{}
	default:
		b.Shape = motion.Shape{Drag: 0.01, Friction: 1}
		b.Spin.Y = 40
		o = &Top{}
	}
	*o.self() = object{number: len(s.all), body: b}
	s.all = append(s.all, o)
	return o
}

// Step makes a step of the world.
func (s *Script) Step() {
	s.World.Step(s.meanwhile)
	s.Steps++
}

// meanwhile is what happens while a step's job runs. One goroutine registers items while another one does all else.
func (s *Script) meanwhile() {
	born := make([]Object, s.churn)
	for i := range born {
		born[i] = s.object()
	}
	brief := s.object()
	var all sync.WaitGroup
	all.Go(func() {
		for _, o := range born {
			s.register(o)
		}
	})
	for k := range s.churn / 4 {
		if o := s.pick(); o != nil {
			s.Remove(o)
			if k == 0 {
				s.Remove(o) // nobody is there any more
			}
		}
	}
	for range s.churn / 4 {
		if o := s.pick(); o != nil {
			o.self().dead = true
		}
	}
	if o := s.pick(); o != nil {
		s.living = append(s.living, o)
		_ = s.Register(o) // it is there already, which the next step finds
	}
	_ = s.Register(brief)
	s.Remove(brief)
	all.Wait()
	s.living = append(s.living, born...)
}

// pick takes one out of the living. Those that this step is the last of, or that have burnt out, are left alone.
func (s *Script) pick() Object {
	for len(s.living) > 0 {
		k, end := s.random.below(len(s.living)), len(s.living)-1
		o := s.living[k]
		s.living[k] = s.living[end]
		s.living = s.living[:end]
		if o.self().body.Left > 1 {
			return o
		}
	}
	return nil
}

// random is a small generator: splitmix64, by Guy Steele, Doug Lea and Christine Flood, 2014.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns one of 0 to n-1.
func (r *random) below(n int) int { return int(r.next() >> 33 % uint64(n)) }

// within returns a number between -most and most.
func (r *random) within(most float32) float32 {
	return float32((float32(r.next()>>40)/(1<<23) - 1) * most)
}
