//go:build custody_explore

package atom_test

import (
	"reflect"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
)

// What is explored is laid out, and called, as what runs in ordinary builds.
func TestExploredWordsAreLikeTheStandardOnes(t *testing.T) {
	for ours, standard := range map[any]any{
		(*atom.Bool)(nil):         (*atomic.Bool)(nil),
		(*atom.Int32)(nil):        (*atomic.Int32)(nil),
		(*atom.Int64)(nil):        (*atomic.Int64)(nil),
		(*atom.Uint32)(nil):       (*atomic.Uint32)(nil),
		(*atom.Uint64)(nil):       (*atomic.Uint64)(nil),
		(*atom.Pointer[int])(nil): (*atomic.Pointer[int])(nil),
	} {
		have, want := reflect.TypeOf(ours), reflect.TypeOf(standard)
		require.Equal(t, want.Elem().Size(), have.Elem().Size(), want)
		require.Equal(t, want.Elem().Align(), have.Elem().Align(), want)
		require.Equal(t, methods(want), methods(have), want)
		require.Zero(t, have.Elem().NumMethod(), "a copy has no operations")
	}
}

// methods returns the methods of a type with what they take and return.
func methods(t reflect.Type) map[string]string {
	m := map[string]string{}
	for f := range t.Methods() {
		s := f.Type.String()
		m[f.Name] = s[len("func(")+len(t.String()):]
	}
	return m
}
