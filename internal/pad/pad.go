package pad

// Bytes is one cache line. A field of type Bytes separates words that must not share a line.
type Bytes [Line]byte
