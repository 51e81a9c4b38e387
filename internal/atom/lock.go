package atom

// LockUnless locks mu, for a goroutine of which many may come at once. It does not, and returns
// false, if over reports meanwhile that there is nothing left to do; nil stands for a function that
// never does. Goroutines that wait in line for a lock have it one wake-up after the other, so these
// try again a little later instead. After mostTries they wait in line, too: the goroutine that has
// the lock may need the processor.
func LockUnless(mu tryLocker, over func() bool) bool {
	for d, tries := leastDelay, 0; over == nil || !over(); d, tries = min(2*d, mostDelay), tries+1 {
		if tries == mostTries || Exploring() {
			mu.Lock()
		} else if !mu.TryLock() {
			// over reads a line that changes once; a try takes the lock's line from its holder.
			for begun := 0; begun < d && (over == nil || !over()); begun += leastDelay {
				Delay(leastDelay)
			}
			continue
		}
		if over == nil || !over() {
			return true
		}
		mu.Unlock()
	}
	return false
}

// tryLocker is a Mutex, hidden or not.
type tryLocker interface {
	Locker
	TryLock() bool
}

// The delays between two tries, in nanoseconds.
const (
	leastDelay = 250
	mostDelay  = 4000

	mostTries = 16 // 50 µs: about as long as it takes to wake a sleeping thread
)
