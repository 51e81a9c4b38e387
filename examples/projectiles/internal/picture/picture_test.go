package picture

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/custody/examples/projectiles/internal/sim"
)

func TestDraw(t *testing.T) {
	p := New()
	p.Draw([]sim.Pose{
		{Gun: 1, Place: sim.Place{X: 10, Y: 20, Z: 30}},
		{Gun: 2, Place: sim.Place{X: 100, Y: 50}, Landed: true},
		{Gun: 3, Place: sim.Place{X: -1000, Y: 1e6, Z: 1e6}}, // outside
	})
	assert.EqualValues(t, arcs+1, p.ColorIndexAt(edge+40, edge+sky+200-120))
	assert.EqualValues(t, ending, p.ColorIndexAt(edge+400, edge+sky+140))
	assert.EqualValues(t, ending, p.ColorIndexAt(edge+402, edge+sky+138))
	assert.EqualValues(t, 0, p.ColorIndexAt(edge, edge))
	assert.EqualValues(t, ground, p.ColorIndexAt(edge, p.Rect.Max.Y-edge-1))
}
