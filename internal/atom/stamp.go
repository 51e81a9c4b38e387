package atom

// Stamp is a word that one goroutine writes and others read without being ordered with it. A reader
// gets some value that the stamp had. A Stamp is for detecting misuse, never for handing anything
// over. It is one machine word, so no read is torn. The race detector does not see it, and its
// operations are no scheduling points.
type Stamp struct{ v uintptr }

// Load returns a value that the stamp had.
//
//go:norace
func (s *Stamp) Load() uintptr { return s.v }

// Store sets the stamp. Only one goroutine at a time may call it.
//
//go:norace
func (s *Stamp) Store(v uintptr) { s.v = v }
