package main

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"

	"example.com/custody/safety"
)

// misuse is a broken rule: the kind of violation that it must be reported as, and the function that
// breaks it. The function's comment and body are what is printed about it.
type misuse struct {
	kind   error
	title  string
	commit func()
}

// misuses are all of them, in the order in which they are committed.
var misuses = []misuse{
	{safety.ErrConflict, "two writers", conflict},
	{safety.ErrConflict, "two that add", conflictOfWriters},
	{safety.ErrConflict, "nothing to run after", autoOrder},
	{safety.ErrInFlight, "used by its owner", inFlight},
	{safety.ErrInFlight, "captured by a body", captured},
	{safety.ErrAliased, "read and written", aliased},
	{safety.ErrNoRange, "one value, many workers", noRange},
	{safety.ErrField, "a slice", unguardedField},

	{safety.ErrUnassigned, "a view", unassignedView},
	{safety.ErrUnassigned, "a container", zeroContainer},
	{safety.ErrDisposed, "used again", disposed},
	{safety.ErrCopied, "as a value", copied},

	{safety.ErrStaleView, "outside jobs", unboundView},
	{safety.ErrStaleView, "kept", staleView},
	{safety.ErrWriteRange, "a neighbour", writeRange},
	{safety.ErrIndex, "behind the end", index},
	{safety.ErrLength, "a loop too long", length},
	{safety.ErrLength, "a loop that turns out too long", lengthOf},
	{safety.ErrArgument, "an option", argument},
	{safety.ErrArgument, "two lengths", twoLengths},

	{safety.ErrNotLent, "a nested job's container", notLent},
	{safety.ErrInFlight, "lent on", lentOn},
	{safety.ErrNotCompleted, "left behind", notCompleted},
	{safety.ErrWaitCycle, "a body and its job", waitCycle},
	{safety.ErrWaitCycle, "a body that runs after itself", orderCycle},
	{safety.ErrClosed, "a pool", closed},
}

// name returns the name of the function that commits the misuse.
func (m misuse) name() string {
	full := runtime.FuncForPC(reflect.ValueOf(m.commit).Pointer()).Name()
	return full[strings.LastIndexByte(full, '.')+1:]
}

// catch commits the misuse and returns the violation that it was reported as. It fails when nothing,
// or something else, was reported.
func (m misuse) catch() (v *safety.Violation, err error) {
	defer func() {
		value := recover()
		if value == nil {
			err = fmt.Errorf("%s: nothing was reported", m.name())
			return
		}
		e, _ := value.(error)
		switch {
		case !errors.As(e, &v):
			err = fmt.Errorf("%s: a panic that is no violation: %v", m.name(), value)
		case !errors.Is(v, m.kind):
			err = fmt.Errorf("%s: reported as %q, not as %q", m.name(), v.Kind, m.kind)
		}
	}()
	m.commit()
	return nil, nil
}
