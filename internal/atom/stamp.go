package atom

// Stamp is a word that one goroutine changes and others may look at without being ordered with it:
// they see some value it had. It is for detecting misuse, never for handing anything over. It is
// one machine word, so a look is never torn. The race detector does not see it, and it is no
// scheduling point.
type Stamp struct{ v uintptr }

// Load returns a value that the stamp had.
//
//go:norace
func (s *Stamp) Load() uintptr { return s.v }

// Store sets the stamp; only one goroutine at a time may.
//
//go:norace
func (s *Stamp) Store(v uintptr) { s.v = v }
