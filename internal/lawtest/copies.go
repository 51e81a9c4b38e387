package lawtest

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/safety"
)

// unaware has the methods that no container checks for copies, with the reason.
var unaware = map[string]string{
	"Disposed":    "it uses nothing of the container's contents",
	"String":      "its text tells that it is a copy",
	"OpenPhase":   "a driver calls it for a container whose use it has admitted",
	"SealPhase":   "a driver calls it for a container whose use it has admitted",
	"ReturnPhase": "a driver calls it for a container whose use it has admitted",
}

// Copies calls every exported method of a container, a pointer to a struct, on a copy of the
// struct, and asserts that each reports the copy. A method reports it by a panic, when the iterator
// that it returns is ranged over, or when a job is scheduled with the view that it returns.
//
// args has the arguments, by method, where zero values are refused for another reason. silent has
// the methods that do not report a copy, in addition to those of unaware, with the reason. The
// container itself is not changed.
func Copies(t *testing.T, container any, args map[string][]any, silent map[string]string) {
	t.Helper()
	CheckedOnly(t)
	of := reflect.ValueOf(container)
	for _, name := range slices.Sorted(maps.Keys(silent)) {
		_, ok := of.Type().MethodByName(name)
		assert.True(t, ok, "%v has no method %s", of.Type(), name)
	}
	for i := range of.NumMethod() {
		name := of.Type().Method(i).Name
		if silent[name]+unaware[name] != "" {
			continue
		}
		t.Run(of.Type().Elem().Name()+"/"+name, func(t *testing.T) {
			c := reflect.New(of.Type().Elem())
			c.Elem().Set(of.Elem())
			v := Violation(t, func() error { return used(call(c.Method(i), args[name])) })
			require.ErrorIs(t, v, safety.ErrCopied)
			assert.NotEmpty(t, v.Container)
		})
	}
}

// call calls a method with args, or with zero values where there are none.
func call(method reflect.Value, args []any) (results []reflect.Value) {
	var in []reflect.Value
	for i := range method.Type().NumIn() {
		a := reflect.Zero(method.Type().In(i))
		if i < len(args) {
			a = reflect.ValueOf(args[i])
		}
		in = append(in, a)
	}
	if method.Type().IsVariadic() {
		in = in[:len(in)-1]
	}
	return method.Call(in)
}

// used uses the results of a method: it ranges over an iterator, and schedules a job with a view.
func used(results []reflect.Value) error {
	for _, r := range results {
		switch {
		case r.Type().CanSeq():
			for range r.Seq() {
			}
		case r.Type().CanSeq2():
			for range r.Seq2() {
			}
		default:
			p := reflect.New(r.Type())
			p.Elem().Set(r)
			if view, ok := p.Interface().(safety.View); ok {
				return Held(view, 1, func() {})
			}
		}
	}
	return nil
}
