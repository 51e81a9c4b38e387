package explore

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"example.com/custody/internal/sched"
)

// differs repeats the last execution up to three times. It returns a failure if no two repetitions
// are alike. It does not ask for more, because an execution has other steps if it happens to make
// something that a process makes only now and then. What goroutines of earlier tests still do is
// taken for steps of the repetitions, so they get time to end before it tries once more.
func (e *explorer) differs() *sched.Failure {
	trace := bytes.Clone(e.program.exec.Trace)
	alike, f := e.alike(trace)
	if !alike && f == nil {
		time.Sleep(settling)
		quiet()
		alike, f = e.alike(trace)
	}
	if alike || f != nil {
		return f
	}
	return &sched.Failure{Kind: sched.Varied, Text: "repeated by its trace the program goes another way each time" + e.parting(trace)}
}

// settling is how long goroutines of earlier tests have to end.
const settling = 20 * time.Millisecond

// alike repeats a trace three times at most, and reports whether two repetitions had the same
// steps.
func (e *explorer) alike(trace []byte) (bool, *sched.Failure) {
	x := e.program.exec
	var marks [3]uint64
	for i := range marks {
		x.Use(&repeat{trace: trace})
		if f, _ := e.execute(); f != nil {
			return false, f
		}
		if marks[i] = x.Mark; slices.Contains(marks[:i], x.Mark) {
			return true, nil
		}
	}
	return false, nil
}

// parting repeats a trace twice, and says where the two part, or nothing if they do not.
func (e *explorer) parting(trace []byte) string {
	x := e.program.exec
	failed := e.failed
	e.failed, x.Log = nil, true
	defer func() { e.failed, x.Log = failed, false }()
	var steps [2][]string
	for i := range steps {
		x.Use(&repeat{trace: trace})
		e.execute()
		for _, s := range x.Story {
			steps[i] = append(steps[i], fmt.Sprintf("%s %s %s", x.Name(s.Task), s.Kind, s.Where()))
		}
		steps[i] = append(steps[i], "the end")
	}
	for i, s := range steps[0] {
		if other := steps[1][min(i, len(steps[1])-1)]; s != other {
			return fmt.Sprintf("; step %d is once: %s, and once: %s", i+1, s, other)
		}
	}
	return ""
}
