package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/examples/internal/program/programtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

func TestProjectiles(t *testing.T) {
	programtest.Program{Name: "projectiles", Run: run}.Simulates(t,
		[]string{"-n", "500", "-steps", "800"}, "500 guns made ",
		[]string{"-workers", "1"}, []string{"-workers", "7"}, []string{"-chunk", "3"})
}

// Without After the second schedule panics, on every run, also with one worker.
func TestAJobThatDoesNotWaitIsRefused(t *testing.T) {
	if !safety.Enabled {
		t.Skip("this build checks nothing")
	}
	w := newWorld(rules{guns: 10, targets: 3}, 4)
	w.shots.Apply()
	seeking := table.ScheduleChunks(w.shots.Rows(), seek{
		Targets: w.all.Lookup(), Places: w.places.Reader(), Orders: w.orders.Reader(), Aims: w.aims.Writer(),
	}, (*seek).ExecuteBatch, parallelfor.Inline())
	defer seeking.Complete()
	defer func() {
		v, _ := recover().(*safety.Violation)
		require.NotNil(t, v)
		require.ErrorIs(t, v, safety.ErrConflict)
		require.Equal(t, []string{"fly", "Aims", "seek", "Aims"}, []string{v.Job, v.Field, v.OtherJob, v.OtherField})
	}()
	flying := table.ScheduleChunks(w.shots.Rows(), fly{
		Aims: w.aims.Reader(), Flights: w.flights.Writer(), Picture: w.picture.Back().Writer(),
	}, (*fly).ExecuteBatch) // parallelfor.After(seeking) is missing
	flying.Complete()
}
