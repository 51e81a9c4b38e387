package atom

import "time"

// MayTest reports whether a program whose main package has that path may be a test.
var MayTest = mayTest

// Lasting is lasting, and Age, SetAged and Kept show what a Spares keeps by Keep.
const Lasting = lasting

func (s *Spares[T]) Age(now time.Time) bool { return (*kept)(s.of.kept).age(now) }
func (s *Spares[T]) SetAged(at time.Time)   { (*kept)(s.of.kept).at = at }
func (s *Spares[T]) Kept() int              { return len((*kept)(s.of.kept).all) }
