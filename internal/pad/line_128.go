//go:build arm64 || ppc64 || ppc64le

package pad

// Line is the size of a cache line in bytes: 128 as in internal/cpu of the Go runtime for arm64
// (Apple's cores have it, most others 64) and for ppc64 and ppc64le.
const Line = 128
