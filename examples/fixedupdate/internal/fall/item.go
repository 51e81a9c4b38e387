package fall

import (
	"errors"
	"fmt"
	"reflect"

	"example.com/custody/examples/fixedupdate/internal/motion"
)

// Item is what can be registered with a world. It is used by the goroutine that makes the world's steps, or in [Loop] by one worker of each step.
type Item interface {
	// Body returns what the next step begins with.
	Body() motion.Body
	// Moved is told what the step has led to.
	Moved(b motion.Body)
	// FixedUpdate makes a step without any world's help, and says whether the item has burnt out.
	FixedUpdate(parts int) (burnt bool)
	// Alive says whether the item takes part at all. One that does not never will again.
	Alive() bool
}

// Why an item is refused when it is registered.
var (
	// ErrNil: there is no item.
	ErrNil = errors.New("a nil item")
	// ErrAlike: items of that type cannot be told apart.
	ErrAlike = errors.New("an item that cannot be compared")
)

// check says why an item cannot be registered. A nil pointer in the interface is as bad as a nil interface: it would come to light in the
// middle of a step, as a panic of somebody else.
func check(it Item) error {
	v := reflect.ValueOf(it)
	switch v.Kind() {
	case reflect.Invalid:
		return ErrNil
	case reflect.Pointer, reflect.Map, reflect.Func, reflect.Slice, reflect.Chan:
		if v.IsNil() {
			return fmt.Errorf("%w: a nil %T", ErrNil, it)
		}
	}
	if !v.Comparable() {
		return fmt.Errorf("%w: a %T", ErrAlike, it)
	}
	return nil
}
