package sim

// Sequential is the simulation in plain loops: what the parallel one must equal, and what its speed is measured
// against. Its memory is used again at each step, too.
type Sequential struct {
	Trace
	edge                  float32
	positions, velocities []Vec
	effects               []Effect
	numbers               map[Cell]int // of the groups
	cells                 []Cell       // in the order in which they were come upon
	groups                [][]int32
}

// NewSequential returns a simulation at its start. The config must pass its Check.
func NewSequential(c Config) *Sequential {
	s := &Sequential{edge: float32(c.edge()), effects: make([]Effect, c.N), numbers: map[Cell]int{}}
	s.positions, s.velocities = c.begin()
	return s
}

// Step goes on by a step.
func (s *Sequential) Step() {
	watch := s.begin()
	s.group()
	watch.ended(Group)
	s.query()
	f := s.census()
	watch.ended(Query)
	clear(s.numbers)
	s.cells = s.cells[:0]
	sum := uint64(0)
	for i, e := range s.effects {
		s.positions[i], s.velocities[i] = moved(s.positions[i], s.velocities[i], e, s.edge)
		f.Pairs += int64(e.Neighbours)
		sum += particleSum(i, s.positions[i], s.velocities[i], e)
	}
	watch.ended(Move)
	f.Pairs /= 2
	f.Sum = mix(f.Sum, sum)
	s.Facts = append(s.Facts, f)
}

func (s *Sequential) group() {
	for i, p := range s.positions {
		c := cellOf(p)
		g, known := s.numbers[c]
		if !known {
			g = len(s.cells)
			s.numbers[c] = g
			if s.cells = append(s.cells, c); g == len(s.groups) {
				s.groups = append(s.groups, nil)
			}
			s.groups[g] = s.groups[g][:0]
		}
		s.groups[g] = append(s.groups[g], int32(i))
	}
}

func (s *Sequential) query() {
	for i, at := range s.positions {
		home := cellOf(at)
		e := Effect{}
		for _, d := range around {
			if g, known := s.numbers[home+d]; known {
				e.add(int32(i), at, s.positions, s.groups[g])
			}
		}
		s.effects[i] = e
	}
}

func (s *Sequential) census() Facts {
	f := Facts{Occupied: len(s.cells)}
	for g, c := range s.cells {
		f.Largest = max(f.Largest, len(s.groups[g]))
		f.Sum += groupSum(g, c, s.groups[g])
	}
	return f
}

// State returns where the particles are, and how fast they move.
func (s *Sequential) State() (positions, velocities []Vec) { return s.positions, s.velocities }
