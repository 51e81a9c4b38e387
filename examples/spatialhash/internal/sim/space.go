package sim

// Vec is a place, or a direction. Places lie in the box, whose corner is the origin: no coordinate is below 0.
type Vec [3]float32

// Cell is a cube of space with edges of 1: its coordinates, each by 1 higher, in 21 bits each. So the cells around one of
// the box have numbers too, and keys are numbers: these the multimap hashes fastest.
type Cell uint64

const coordinateBits = 21

// cellOf returns the cell in which a place of the box lies.
func cellOf(p Vec) Cell {
	return packed(int64(p[0])+1, int64(p[1])+1, int64(p[2])+1)
}

func packed(x, y, z int64) Cell {
	return Cell(x + y<<coordinateBits + z<<(2*coordinateBits))
}

// around is what is to be added to a cell for itself and its 26 neighbours. Coordinates do not run into each other, as
// those of cells in the box are neither the lowest nor the highest.
var around = func() (list [27]Cell) {
	for k := range list {
		k := int64(k)
		list[k] = packed(k%3-1, k/3%3-1, k/9-1)
	}
	return list
}()
