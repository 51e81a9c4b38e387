package sim

// kind is an archetype: what things have, and the share of them.
type kind struct {
	share                  int  // of a hundred
	driven, frozen, placed bool // placed: only a position and a place
}

// kinds are all, in the order in which they are added.
var kinds = []kind{
	{share: 35},
	{share: 30, driven: true},
	{share: 15, frozen: true},
	{share: 20, placed: true},
}

// count returns how many things of a kind there are among n. The first kind has what is left.
func count(n, of int) int {
	if of > 0 {
		return n * kinds[of].share / 100
	}
	rest := n
	for k := 1; k < len(kinds); k++ {
		rest -= count(n, k)
	}
	return rest
}

// thing returns what the i-th thing of a kind is at first.
func thing(of, i int) (Position, Velocity, Heading) {
	r := random(uint64(of)<<40 | uint64(i))
	return Position{r.below(edge), r.below(edge)}, Velocity{r.below(40) - 20, r.below(40) - 20}, Heading{r.below(6), r.below(1) + 0.125}
}

// random is a small generator: splitmix64, by Guy Steele, Doug Lea and Christine Flood, 2014.
type random uint64

func (r *random) below(max float32) float32 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return float32((z^z>>31)>>40) / (1 << 24) * max
}
