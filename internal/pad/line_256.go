//go:build s390x

package pad

// Line is the size of a cache line in bytes: 256 as in internal/cpu of the Go runtime for s390x.
const Line = 256
