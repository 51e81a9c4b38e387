package safety

import "example.com/custody/internal/pad"

// CacheLine is a block of the size of a cache line. Put a field of it between words that different
// workers write.
type CacheLine = pad.Bytes
