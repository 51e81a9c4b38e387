package pad

// Bytes is one cache line. Put a field of it between words that must not share a line.
type Bytes [Line]byte
