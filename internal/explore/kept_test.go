package explore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/sched"
)

// broken is a program that some schedules break.
var broken = counter(2, (*word).brokenCompareAndSwap)

// explored runs a program as a test of that name, with a seed.
func explored(name string, setup func(*explore.Program), plans ...explore.Plan) *recorder {
	return run(name, func(t testing.TB) { explore.Run(t, explore.Options{}, setup, plans...) })
}

// A schedule that failed is kept, is run before all others from then on, and does no harm when the
// program changes.
func TestSchedulesAreKept(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("CUSTODY_SCHEDULES", dir)
	t.Setenv("CUSTODY_REPLAY", "")
	r := explored("TestIt/sub", broken, explore.Random(1000))
	require.True(t, r.failed)
	require.Contains(t, r.text, "wrong result: the sum is")
	require.Contains(t, r.text, "-run '^TestIt$/^sub$'")
	files, err := os.ReadDir(filepath.Join(dir, "TestIt.sub"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	data, err := os.ReadFile(filepath.Join(dir, "TestIt.sub", files[0].Name()))
	require.NoError(t, err)
	require.Regexp(t, `^# wrong result: the sum is 3, want 4\ntrace,[01]+\n$`, string(data))

	r = explored("TestIt/sub", broken)
	require.True(t, r.failed, "the plan has no schedules, so it was the kept one")
	require.Contains(t, r.text, "schedule 2, replay: wrong result", "the one before is what every exploration begins with")
	files, err = os.ReadDir(filepath.Join(dir, "TestIt.sub"))
	require.NoError(t, err)
	require.Len(t, files, 1, "it is kept once")

	r = explored("TestIt/other", broken)
	require.False(t, r.failed, "it is another test's")
	for _, changed := range []func(*explore.Program){
		counter(2, (*word).CompareAndSwap),
		counter(9, (*word).CompareAndSwap),
		func(p *explore.Program) { p.Go("", func() {}) },
	} {
		r = explored("TestIt/sub", changed, explore.Random(10))
		require.False(t, r.failed, "a kept schedule does not fit a program that has changed: %s", r.text)
		require.Contains(t, r.logs, " schedules of up to ")
	}

	require.NoError(t, os.WriteFile(filepath.Join(dir, "TestIt.sub", "more.txt"), []byte("# nothing\n\nwalk,no number\n"), 0o666))
	r = explored("TestIt/sub", broken)
	require.Contains(t, r.text, "more.txt: explore: \"walk,no number\" is not of the form")

	t.Setenv("CUSTODY_SCHEDULES", "none")
	r = explored("TestIt/sub", broken)
	require.False(t, r.failed, "nothing that is kept is run")
}

// The line that a failure prints repeats it, by its trace and by its seed, in a process of its own.
func TestALineRepeatsAFailure(t *testing.T) {
	if inChild(t) {
		explore.Run(t, explore.Options{}, broken)
		return
	}
	f, _ := find(broken, explore.PCT(3, 1000))
	w, _ := find(broken, explore.Random(1000))
	require.NotContains(t, child(t), "--- FAIL", "without the line nothing fails")
	for _, f := range []*explore.Finding{f, w} {
		for _, text := range []string{f.Trace, f.Again} {
			out := child(t, "CUSTODY_REPLAY="+text)
			require.Contains(t, out, "--- FAIL", text)
			for line := range strings.Lines(f.Story) {
				require.Contains(t, out, strings.TrimSpace(line), text)
			}
			require.Contains(t, out, "CUSTODY_REPLAY="+f.Trace+" go test")
		}
	}
	require.Contains(t, child(t, "CUSTODY_REPLAY=walk,x"), "is not of the form")
}

func TestPlansAreParsed(t *testing.T) {
	for _, text := range []string{"trace,", "trace,0129azAZ-_", "walk,7", "walk,0xffffffffffffffff", "pct,3,40,0x1"} {
		_, err := explore.ParsePlan(text)
		require.NoError(t, err, text)
	}
	for _, text := range []string{"", "random", "trace,+", "walk", "walk,", "walk,-1", "pct,3,40", "pct,0,40,1", "pct,17,40,1", "pct,x,40,1", "pct,3,x,1", "pct,3,40,x", "all,2"} {
		_, err := explore.ParsePlan(text)
		require.Error(t, err, text)
	}
	require.Panics(t, func() { explore.PCT(0, 1) })
	require.Panics(t, func() { explore.PCTTo(17, 0.1) })
}

// What an exploration did is told with the traces that did not fit, where there were any.
func TestMisfitsAreTold(t *testing.T) {
	for text, want := range map[string]int{"trace,": 0, "trace,z": 1, "trace,0000000000000000000000000": 1} {
		plan, err := explore.ParsePlan(text)
		require.NoError(t, err)
		f, stats := find(counter(1, (*word).CompareAndSwap), plan, plan)
		require.NoError(t, errorOf(f))
		require.Equal(t, 2*want, stats.Misfits, text)
		if want == 0 {
			require.NotContains(t, stats.String(), "misfits", text)
		} else {
			require.Regexp(t, `^3 schedules of up to 2 tasks, .* a second, misfits: 2$`, stats.String(), text)
		}
	}
}

// A task that fails the test ends the exploration, which tells in which schedule.
func TestATaskThatFailsTheTestIsFound(t *testing.T) {
	t.Setenv("CUSTODY_SCHEDULES", "none")
	r := run("TestIt", func(r testing.TB) {
		explore.Run(r, explore.Options{Goroutines: true}, func(p *explore.Program) {
			j := &journal{}
			p.Go("", func() { j.steps("aa") })
			p.Go("", func() { j.steps("bb") })
			p.Then(func() {
				if string(j.done) == "baba" {
					r.Fatal("they took turns")
				}
			})
		}, explore.Exhaustive(9, 100))
	})
	require.Contains(t, r.text, "wrong result: the test was failed")
	require.Contains(t, r.text, "CUSTODY_REPLAY=trace,")
}

// How many schedules there were can be collected.
func TestSchedulesAreCounted(t *testing.T) {
	t.Setenv("CUSTODY_SCHEDULES", "none")
	t.Setenv("CUSTODY_REPLAY", "")
	name := filepath.Join(t.TempDir(), "counts")
	t.Setenv("CUSTODY_EXPLORED", name)
	t.Setenv("CUSTODY_EXPLORE", "")
	for range 2 {
		require.False(t, explored("TestIt", counter(1, (*word).CompareAndSwap), explore.Random(more(50))).failed)
	}
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	once := "51 explore TestIt\n"
	if !sched.Race {
		once += "31 explore TestIt\n" // those in which plain accesses are steps
	}
	require.Equal(t, once+once, string(data))
}

// CUSTODY_EXPLORE multiplies the numbers of schedules.
func TestCountsAreScaled(t *testing.T) {
	for _, scale := range []string{"", "3", "0.1"} {
		t.Setenv("CUSTODY_EXPLORE", scale)
		want := map[string]int{"3": 300, "0.1": 10}[scale]
		if want == 0 {
			want = 100
		}
		if sched.Race {
			want /= 10
		}
		_, stats := find(counter(1, (*word).CompareAndSwap), explore.Random(100))
		require.Equal(t, want, stats.Schedules-1, "%q", scale)
	}
	for _, scale := range []string{"nonsense", "-1", "0", "4x"} {
		t.Setenv("CUSTODY_EXPLORE", scale)
		require.Panics(t, func() { find(counter(1, (*word).CompareAndSwap), explore.Random(100)) }, "%q", scale)
	}
}

// A story has a line for each step, with its task, operation, word and place.
func TestStories(t *testing.T) {
	f, _ := find(func(p *explore.Program) {
		v, w := new(word), new(word)
		p.Go("writes", func() { v.Store(1); w.Store(2); v.Store(3) })
		p.Judge(func() error { return errorFound })
	}, explore.Random(1))
	lines := strings.Split(strings.TrimSpace(f.Story), "\n")
	require.Len(t, lines, 3)
	for i, word := range []int{1, 2, 1} {
		require.Regexp(t, regexp.MustCompile(fmt.Sprintf(`^ *%d  writes +Store +#%d +explore_test\.\(\*word\)\.Store toys_test\.go:\d+$`, i+1, word)), lines[i])
	}
}
