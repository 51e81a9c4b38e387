package safety_test

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// logged returns what a JSON log has under the key v.
func logged(v any) string {
	var b bytes.Buffer
	h := slog.NewJSONHandler(&b, &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey || a.Key == slog.MessageKey) {
			return slog.Attr{}
		}
		return a
	}})
	slog.New(h).Error("x", "v", v)
	return b.String()
}

func TestAViolationIsLoggedAsAGroup(t *testing.T) {
	v := safety.NewViolation(safety.ErrConflict, "it broke", "Mend it.")
	v.At = ""
	require.JSONEq(t, `{"v": {"kind": "`+safety.ErrConflict.Error()+`", "what": "it broke", "do": "Mend it."}}`, logged(v))
	v.Kind = safety.ErrIndex
	v.Container, v.Job, v.Field, v.OtherJob, v.OtherField = "C", "J", "F", "K", "G"
	v.Index, v.Max, v.N, v.Length, v.At, v.Made, v.Scheduled = 7, 5, 9, 5, "c.go:3", "a.go:1", "b.go:2"
	require.JSONEq(t, `{"v": {"kind": "index out of range", "what": "it broke", "do": "Mend it.", "container": "C", "job": "J", "field": "F",
		"other_job": "K", "other_field": "G", "index": 7, "range": {"min": 0, "max": 5}, "n": 9, "length": 5, "at": "c.go:3", "made": "a.go:1", "scheduled": "b.go:2"}}`, logged(v))
	require.JSONEq(t, `{"v": null}`, logged((*safety.Violation)(nil)))
	require.JSONEq(t, `{"v": {"kind": "", "what": ""}}`, logged(new(safety.Violation)))
}

// Index 0 is an index, too: that of an empty container is refused.
func TestIndicesAreLoggedAlsoWhenTheyAreZero(t *testing.T) {
	for _, kind := range []error{safety.ErrIndex, safety.ErrWriteRange, safety.ErrTwice} {
		v := safety.NewViolation(kind, "it broke", "")
		v.At = ""
		require.JSONEq(t, `{"v": {"kind": "`+kind.Error()+`", "what": "it broke", "index": 0, "range": {"min": 0, "max": 0}}}`, logged(v))
	}
}

func TestALeakIsLoggedAsAGroup(t *testing.T) {
	require.JSONEq(t, `{"v": {"job": "J", "scheduled": "a.go:1", "finished": true}}`, logged(safety.Leak{Job: "J", Scheduled: "a.go:1", Finished: true}))
	require.JSONEq(t, `{"v": {"container": "C", "made": "a.go:1", "stack": "main"}}`, logged(safety.Leak{Container: "C", Made: "a.go:1", Stack: "main"}))
}

// What was set before can be set again.
func TestOnLeakReturnsTheHookBefore(t *testing.T) {
	lawtest.CheckedOnly(t)
	var told []string
	hook := func(name string) func(safety.Leak) {
		return func(l safety.Leak) { told = append(told, name+l.Job) }
	}
	require.Nil(t, safety.OnLeak(hook("first ")))
	before := safety.OnLeak(hook("second "))
	before(safety.Leak{Job: "J"})
	require.Equal(t, []string{"first J"}, told)
	safety.OnLeak(before)(safety.Leak{Job: "K"})
	safety.OnLeak(nil)(safety.Leak{Job: "L"})
	require.Equal(t, []string{"first J", "second K", "first L"}, told)
	require.Nil(t, safety.OnLeak(nil))
}
