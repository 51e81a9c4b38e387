//go:build s390x

package pad

// Line is the size of a cache line in bytes: 256, as in Go's internal/cpu for s390x.
const Line = 256
