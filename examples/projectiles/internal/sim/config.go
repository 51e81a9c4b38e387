package sim

import "fmt"

// Config is what decides all that happens.
type Config struct {
	Guns    int // each has one projectile in the air, or none
	Targets int
	Seed    uint64
	Chunk   int // rows of the table of projectiles
}

const (
	mostGuns    = 1 << 24
	mostTargets = 1 << 20
)

// Check refuses what makes no sense.
func (c Config) Check() error {
	switch {
	case c.Guns < 1 || c.Guns > mostGuns:
		return fmt.Errorf("%d projectiles: at least 1 is needed, and there may be %d", c.Guns, mostGuns)
	case c.Targets < 1 || c.Targets > mostTargets:
		return fmt.Errorf("%d targets: at least 1 is needed, and there may be %d", c.Targets, mostTargets)
	case c.Chunk < 1:
		return fmt.Errorf("chunks of %d rows: at least 1 is needed", c.Chunk)
	}
	return nil
}

// The guns stand in the west of the field, and the targets drive about in the east.
const (
	Wide, Deep = 240.0, 120.0 // of the field
	west, east = 40.0, 100.0  // where the guns end and the targets begin

	toughness = 40 // so many hits end a target
	pause     = 10 // frames for which a gun that jams is silent
)

// draw returns a number that is decided by the seed and by what it is for.
func (c Config) draw(kind, which, when uint64) uint64 {
	z := c.Seed + kind*0x9e3779b97f4a7c15
	for _, v := range [2]uint64{which, when} {
		z += v*0xd1b54a32d192ed03 + 0x9e3779b97f4a7c15
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		z ^= z >> 31
	}
	return z
}

// Kinds of draws.
const (
	ofGun = iota
	ofAim
	ofTarget
	ofSpeed
	ofJam
	ofDrop
)

// part returns two numbers from 0 to 1 that a draw decides.
func part(z uint64) (a, b float64) {
	return float64(z>>32) / (1 << 32), float64(z&0xffffffff) / (1 << 32)
}

// site returns where a gun stands.
func (c Config) site(gun uint32) Vec {
	a, b := part(c.draw(ofGun, uint64(gun), 0))
	return Vec{float32(a * west), float32(b * Deep)}
}

// aims returns which of so many targets a gun fires at.
func (c Config) aims(gun uint32, frame uint64, targets int) int {
	return int(c.draw(ofAim, uint64(gun), frame) % uint64(targets))
}

// jams says whether a gun pauses after its projectile has landed.
func (c Config) jams(gun uint32, frame uint64) bool { return c.draw(ofJam, uint64(gun), frame)%8 == 0 }

// launch returns how a projectile begins to fly. One of 97 is dropped over the target itself: there is no way from it to there.
func (c Config) launch(gun uint32, frame uint64, target Vec) Flight {
	from := c.site(gun)
	if c.draw(ofDrop, uint64(gun), frame)%97 == 0 {
		from = target
	}
	return Flight{Ground: from}
}

// begin returns where a target is when it comes, and how it moves. Each fourth one stands still.
func (c Config) begin(number uint32) (at, velocity Vec) {
	a, b := part(c.draw(ofTarget, uint64(number), 0))
	at = Vec{float32(east + a*(Wide-east)), float32(b * Deep)}
	if number%4 == 0 {
		return at, Vec{}
	}
	a, b = part(c.draw(ofSpeed, uint64(number), 0))
	return at, Vec{float32(10 * (a - 0.5)), float32(10 * (b - 0.5))}
}

// drive moves a target by a frame. At the edges of its part of the field it turns back.
func drive(at, velocity *Vec) {
	*at = at.add(velocity.times(1.0 / perSecond))
	if at.X < east && velocity.X < 0 || at.X > Wide && velocity.X > 0 {
		velocity.X = -velocity.X
	}
	if at.Y < 0 && velocity.Y < 0 || at.Y > Deep && velocity.Y > 0 {
		velocity.Y = -velocity.Y
	}
}
