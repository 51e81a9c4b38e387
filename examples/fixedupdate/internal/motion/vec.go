package motion

import "math"

// Vec is a vector. Y points upwards.
type Vec struct{ X, Y, Z float32 }

// Add returns v+w.
func (v Vec) Add(w Vec) Vec { return Vec{v.X + w.X, v.Y + w.Y, v.Z + w.Z} }

// Sub returns v-w.
func (v Vec) Sub(w Vec) Vec { return Vec{v.X - w.X, v.Y - w.Y, v.Z - w.Z} }

// Times returns k*v.
func (v Vec) Times(k float32) Vec { return Vec{float32(k * v.X), float32(k * v.Y), float32(k * v.Z)} }

// Len returns the length of v.
func (v Vec) Len() float32 {
	return root(float32(v.X*v.X) + float32(v.Y*v.Y) + float32(v.Z*v.Z))
}

// root returns the square root, correctly rounded.
func root(x float32) float32 { return float32(math.Sqrt(float64(x))) }
