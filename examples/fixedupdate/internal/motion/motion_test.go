package motion

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWithoutAirBodiesFallAsGalileoSays(t *testing.T) {
	b := Body{Turn: Upright, Spin: Vec{Y: math.Pi / 2}, Left: 50}
	for range 50 {
		b = b.Moved(10)
	}
	require.InDelta(t, -9.81, b.Speed.Y, 1e-3)
	require.InDelta(t, -9.81/2, b.At.Y, 0.02)
	require.InDelta(t, math.Sqrt2/2, b.Turn.Y, 1e-4, "a quarter of a turn in a second")
	require.InDelta(t, math.Sqrt2/2, b.Turn.W, 1e-4)
	require.Zero(t, b.Left)
	require.Zero(t, b.At.X, b.At.Z)
}

func TestWithAirBodiesFallNoFasterThanTheyCan(t *testing.T) {
	b := Body{At: Vec{X: 1e6}, Turn: Upright, Spin: Vec{X: 3, Y: 4}, Shape: Shape{Drag: 0.1, Friction: 0.5}}
	b.Speed = wind(b.At)
	for range 500 {
		b = b.Moved(4)
		b.At.X, b.At.Z = 1e6, 0 // where the wind stays the same
		require.InDelta(t, 1, b.Turn.Size(), 1e-5)
	}
	require.InDelta(t, math.Sqrt(9.81/0.1), b.Speed.Sub(wind(b.At)).Len(), 0.01)
	require.InDelta(t, 5*math.Exp(-0.5*10), b.Spin.Len(), 0.001)
}

func TestPositionsWrap(t *testing.T) {
	for at, want := range map[float32]float32{-50: -50, -50.5: 49.5, 0: 0, 120: 120, -149: -49} {
		got, wrapped := Wrapped(Vec{1, at, 2})
		assert.Equal(t, Vec{1, want, 2}, got)
		assert.Equal(t, at < -50, wrapped)
	}
}

// The bits are the same on every machine.
func TestTheBitsAreKnown(t *testing.T) {
	b := Body{At: Vec{3, 20, -7}, Speed: Vec{1, -2, 0.5}, Turn: Upright, Spin: Vec{0.3, 4, -1}, Left: 7, Shape: Shape{0.02, 0.1}}
	for range 1000 {
		b = b.Moved(3)
		b.At, _ = Wrapped(b.At)
	}
	got := []uint32{math.Float32bits(b.At.X), math.Float32bits(b.At.Y), math.Float32bits(b.Speed.Z), math.Float32bits(b.Turn.X), math.Float32bits(b.Turn.W), math.Float32bits(b.Spin.Y)}
	require.Equal(t, []uint32{0x4292c949, 0x411eb5ff, 0x3fcb3092, 0xbd781d3d, 0x3f0cf91e, 0x3f0a7c6f}, got)
	require.EqualValues(t, 7-1000, b.Left)
}
