package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/examples/internal/program"
	"example.com/custody/examples/internal/program/programtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

func TestComponents(t *testing.T) {
	programtest.Program{Name: "components", Run: run}.Simulates(t,
		[]string{"-n", "2000", "-steps", "20"}, "2000 things in 3 tables, 4 systems\n",
		[]string{"-workers", "1"}, []string{"-workers", "7"}, []string{"-chunk", "3"})
}

// Without AutoOrder, systems over one column that have no order are refused; the violation names
// the jobs and the fields of the kind.
func TestSystemsWithoutAnOrderAreRefused(t *testing.T) {
	if !safety.Enabled {
		t.Skip("this build checks nothing")
	}
	w := newWorld(program.Options{N: 100, Workers: 1, Chunk: 1})
	free := w.of[w.tables[1]]
	moving := parallelfor.ScheduleKind(t.Context(), free.Len(), pair[move, vec, vec]{First: free.at.Writer(), Second: free.speed.Reader()},
		rows[move, vec, vec]{body: (*move).Execute}, parallelfor.Inline())
	defer moving.Complete()
	defer func() {
		v, _ := recover().(*safety.Violation)
		require.NotNil(t, v)
		require.ErrorIs(t, v, safety.ErrConflict)
		require.ElementsMatch(t, []string{"First", "Second"}, []string{v.Field, v.OtherField})
	}()
	bouncing := parallelfor.ScheduleKind(t.Context(), free.Len(), pair[bounce, vec, vec]{First: free.speed.Writer(), Second: free.at.Reader()},
		rows[bounce, vec, vec]{body: (*bounce).Execute})
	bouncing.Complete()
}

func TestQueriesChooseByTags(t *testing.T) {
	w := newWorld(program.Options{N: 100, Workers: 1, Chunk: 1})
	var names []string
	for chosen := range table.Over(w.tables...).Without(w.frozen).All() {
		names = append(names, chosen.Name())
	}
	require.Equal(t, []string{"driven", "free"}, names)
}
