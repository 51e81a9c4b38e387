// Package quiet has the hold that views of generic types embed. Each method of what a type embeds
// is compiled again for each instance of the type, in the packages that use it.
package quiet

import "example.com/custody/safety"

// Kept is the part of a view that belongs to package safety.
type Kept = safety.Hold

// Hold makes the type that embeds it a view, and passes on no method of its Kept: a method that two
// embedded types have is none of the struct's. A view embeds it with the tag custody:"part".
type Hold struct {
	mute
	Kept
}

// mute has the names of the methods of a Kept, except the one that makes a type a view. Views are
// not compared, so the compiler makes no functions for that.
type mute struct{ _ [0]func() }

func (mute) Batch()     {}
func (mute) Beside()    {}
func (mute) Bind()      {}
func (mute) Blame()     {}
func (mute) Borrow()    {}
func (mute) Bound()     {}
func (mute) Check()     {}
func (mute) CheckLane() {}
func (mute) Live()      {}
func (mute) Out()       {}
func (mute) Stale()     {}
func (mute) WithKind()  {}
