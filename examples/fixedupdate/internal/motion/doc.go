// Package motion is how bodies fall and spin: arithmetic that leaves the same bits on every machine, because no product is added to before it is
// rounded. A compiler may fuse a multiplication and an addition into one instruction, which rounds once; a conversion, as float32(a*b), forbids it.
//
// Map: vec.go vectors; quat.go rotations; body.go bodies, and their steps.
package motion
