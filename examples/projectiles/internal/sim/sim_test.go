package sim

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

var small = Config{Guns: 200, Targets: 6, Seed: 3, Chunk: 32}

// sound says whether what is seen of a projectile are numbers, above the ground, and a turn of length 1.
func sound(p Pose) bool {
	t := p.Turn
	length := math.Hypot(math.Hypot(float64(t.W), float64(t.X)), math.Hypot(float64(t.Y), float64(t.Z)))
	return math.Abs(length-1) < 1e-5 && p.Place.Z >= 0 && !math.IsNaN(float64(p.Place.X+p.Place.Y+p.Place.Z))
}

func TestEveryFrameIsThatOfThePlainLoops(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 8} {
		for _, chunk := range []int{9, 70} {
			c := small
			c.Chunk = chunk
			opts := []parallelfor.Option{parallelfor.Workers(workers)}
			if workers == 0 {
				opts[0] = parallelfor.Sequential()
			}
			p, w := NewPlain(c), NewWorld(c, opts...)
			for frame := range 300 {
				p.Step()
				w.Step()
				w.Finish()
				require.Equal(t, p.Poses(), w.Poses(), "workers %d, chunk %d, frame %d", workers, chunk, frame)
				require.Equal(t, p.Sum(), w.Sum(), "workers %d, chunk %d, frame %d", workers, chunk, frame)
			}
			assert.NotZero(t, p.Tally().Killed)
			w.Close()
		}
	}
}

func TestOneGunAndOneTarget(t *testing.T) {
	c := Config{Guns: 1, Targets: 1, Seed: 9, Chunk: 1}
	p, w := NewPlain(c), NewWorld(c)
	defer w.Close()
	for range 500 {
		p.Step()
		w.Step()
	}
	w.Finish()
	assert.Equal(t, p.Sum(), w.Sum())
	assert.NotZero(t, w.Tally().Landed)
}

// A frame can be looked at while the next one is computed.
func TestTheLastFrameIsSeenMeanwhile(t *testing.T) {
	p, w := NewPlain(small), NewWorld(small)
	defer w.Close()
	w.Step()
	for range 100 {
		p.Step()
		w.Step()
		require.Equal(t, p.Poses(), w.Poses())
	}
}

func TestAllIsANumberInEveryFrame(t *testing.T) {
	c := small
	c.Guns = 3000
	p := NewPlain(c)
	none := 0
	for range 400 {
		p.Step()
		for i, pose := range p.Poses() {
			require.True(t, sound(pose), pose)
			if pose.Landed && p.shots.flight[i].Flown == 0 {
				none++
			}
		}
	}
	assert.NotZero(t, none, "projectiles that were where their targets are")
}

func TestATargetAtThePlaceOfTheProjectile(t *testing.T) {
	for _, aim := range []Vec{{}, {5, 7}, {-0, 3}} {
		f, p := Flight{Ground: aim}, Pose{}
		fly(&f, aim, &p)
		assert.True(t, p.Landed)
		assert.True(t, sound(p), p)
		assert.Equal(t, Flight{Ground: aim}, f)
		fly(&f, aim, &p) // reached already
		assert.True(t, p.Landed)
		assert.True(t, sound(p), p)
	}
	tiny := math.Float32frombits(1)
	f, p := Flight{}, Pose{}
	fly(&f, Vec{tiny, tiny}, &p)
	assert.True(t, p.Landed && sound(p), p)
}

func TestAnArcRisesAndFalls(t *testing.T) {
	f, p, highest := Flight{}, Pose{}, float32(0)
	frames := 0
	for aim := (Vec{60, 80}); !p.Landed; frames++ {
		fly(&f, aim, &p)
		highest = max(highest, p.Place.Z)
		require.True(t, sound(p), p)
		require.InDelta(t, float64(p.Place.X)*80, float64(p.Place.Y)*60, 0.01)
	}
	assert.InDelta(t, 100, frames, 1)
	assert.InDelta(t, 25, highest, 0.01)
	assert.Equal(t, Place{60, 80, 0}, p.Place)
}

func TestAProjectileFollowsItsTarget(t *testing.T) {
	f, p, aim := Flight{}, Pose{}, Vec{50, 0}
	for !p.Landed {
		aim.Y += 0.1
		fly(&f, aim, &p)
	}
	assert.Equal(t, aim, f.Ground)
	assert.Greater(t, aim.Y, float32(4))
}

func TestATurnIsThatToTheHeading(t *testing.T) {
	for angle := -180.0; angle <= 180; angle += 15 {
		for _, slope := range []float64{-1, -0.3, 0, 0.5, 1} {
			x, y := math.Cos(angle*math.Pi/180), math.Sin(angle*math.Pi/180)
			q := heading(x, y, slope)
			w, i, j, k := float64(q.W), float64(q.X), float64(q.Y), float64(q.Z)
			level := 1 / math.Hypot(1, slope)
			what := fmt.Sprint(angle, slope)
			assert.InDelta(t, x*level, 1-2*(j*j+k*k), 1e-6, what) // where the X axis is turned to
			assert.InDelta(t, y*level, 2*(i*j+w*k), 1e-6, what)
			assert.InDelta(t, slope*level, 2*(i*k-w*j), 1e-6, what)
		}
	}
}

// A target's name is its own as long as it lives, wherever its row is, and nobody's then.
func TestNamesOutliveRows(t *testing.T) {
	w := NewWorld(small)
	defer w.Close()
	numbers := map[table.ID]uint32{}
	moved, gone := 0, 0
	rows := map[table.ID]int{}
	for range 500 {
		w.Step()
		w.Finish()
		for id, number := range numbers {
			if row, ok := w.targets.RowOf(id); ok {
				require.Equal(t, number, w.targets.number.At(row))
				if rows[id] != row {
					moved++
				}
				rows[id] = row
				continue
			}
			_, ok := w.targets.number.RowOf(number)
			require.False(t, ok)
			delete(numbers, id)
			gone++
		}
		for row := range w.targets.Len() {
			id := w.targets.ID(row)
			numbers[id], rows[id] = w.targets.number.At(row), row
		}
	}
	assert.Equal(t, w.Tally().Killed, gone)
	assert.NotZero(t, moved)
	assert.Equal(t, small.Targets, w.targets.Len())
}

func TestWhatIsFiredIsInTheAirOrHasLanded(t *testing.T) {
	w := NewWorld(small)
	defer w.Close()
	for range 300 {
		w.Step()
		w.Finish()
	}
	w.settle()
	w.shots.Apply()
	assert.Equal(t, w.Tally().Fired-w.Tally().Landed, w.shots.Len())
}

func TestTheMissingAfterIsReportedEveryTime(t *testing.T) {
	few := Config{Guns: 10, Targets: 3, Chunk: 4}
	if !safety.Enabled {
		assert.NoError(t, Careless(few))
		return
	}
	var first *safety.Violation
	require.ErrorAs(t, Careless(few), &first)
	for range 1000 {
		var v *safety.Violation
		require.ErrorAs(t, Careless(few), &v)
		require.Equal(t, *first, *v)
	}
	assert.ErrorIs(t, first, safety.ErrConflict)
	assert.Contains(t, first.Container, `"aim"`)
	assert.Equal(t, []string{"arc", "seek"}, []string{first.Job, first.OtherJob})
	assert.Contains(t, first.Field, "Aim")
	assert.Contains(t, first.OtherField, "Aim")
}

func TestConfigsThatMakeNoSense(t *testing.T) {
	for _, c := range []Config{{}, {Guns: -1, Targets: 1, Chunk: 1}, {Guns: 1, Chunk: 1}, {Guns: 1, Targets: 1}, {Guns: mostGuns + 1, Targets: 1, Chunk: 1}, {Guns: 1, Targets: mostTargets + 1, Chunk: 1}} {
		assert.Error(t, c.Check(), c)
	}
	assert.NoError(t, small.Check())
}
