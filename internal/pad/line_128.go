//go:build arm64 || ppc64 || ppc64le

package pad

// Line is the size of a cache line in bytes: 128, as in Go's internal/cpu for arm64, ppc64 and
// ppc64le. Of the arm64 cores, Apple's have lines of that size and most others lines of 64 bytes.
const Line = 128
