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

// unaware has the methods that report a copy of no container, and why.
var unaware = map[string]string{
	"Disposed":    "it uses nothing of the container's contents",
	"String":      "its text tells that it is a copy",
	"OpenPhase":   "a driver calls it for a container whose use it has admitted",
	"SealPhase":   "a driver calls it for a container whose use it has admitted",
	"ReturnPhase": "a driver calls it for a container whose use it has admitted",
}

// Copies calls every exported method of a container, a pointer to a struct, on a copy of the
// struct, and asserts that each reports the copy: by its panic, when the iterator is ranged over
// that it returns, or when a job is scheduled with the view that it returns. args has the
// arguments, by method, where zero values are refused for another reason. silent has the methods
// besides those of unaware that do not report a copy, and why. After it the container itself is as
// usable as before.
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

// call calls a method with these arguments, or with zero values.
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

// used uses what a method returned: it ranges over an iterator, and schedules a job with a view.
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
