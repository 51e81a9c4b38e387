package parallelfor_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type uncopied struct{}

func (*uncopied) Execute(int) {}

// Jobs on a copy of a pool, and its Close, are reported. The pool itself works on.
func TestACopyOfAPoolIsReported(t *testing.T) {
	p := parallelfor.NewPool(2)
	defer p.Close()
	parallelfor.For(100, struct{}{}, func(*struct{}, int) {}, parallelfor.On(p))
	c := reflect.New(reflect.TypeFor[parallelfor.Pool]()).Interface().(*parallelfor.Pool)
	reflect.ValueOf(c).Elem().Set(reflect.ValueOf(p).Elem())
	for name, f := range map[string]func(){
		"For":      func() { parallelfor.For(100, struct{}{}, func(*struct{}, int) {}, parallelfor.On(c)) },
		"Schedule": func() { parallelfor.Schedule(100, uncopied{}, (*uncopied).Execute, parallelfor.On(c)).Complete() },
		"Close":    c.Close,
	} {
		v := lawtest.Violation(t, func() error { f(); return nil })
		require.ErrorIs(t, v, safety.ErrCopied, name)
		assert.ErrorContains(t, v, "keep and pass on the pointer that NewPool returned", name)
	}
	assert.Equal(t, "parallelfor.Pool: a copy of its struct", c.String())
	parallelfor.For(100, struct{}{}, func(*struct{}, int) {}, parallelfor.On(p))
}
