//go:build !arm64 && !ppc64 && !ppc64le && !s390x

package pad

// Line is the size of a cache line in bytes. 64 is the size in Go's internal/cpu for amd64, 386,
// riscv64, loong64 and wasm. It is more than the 32 of arm, mips and mips64, which costs those a
// little memory and nothing else.
const Line = 64
