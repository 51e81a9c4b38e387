// Command escapes commits one misuse that some builds do not report. The test of docs/escapes.md
// builds it at every level:
//
//	escapes NAME    commits it and prints what custody reported, if anything
//	escapes         prints the table: what there is, and what each level is expected to report
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func main() {
	if len(os.Args) < 2 {
		_ = json.NewEncoder(os.Stdout).Encode(escapes)
		return
	}
	for _, e := range escapes {
		if e.Name == os.Args[1] {
			func() {
				defer caught()
				e.run()
			}()
			report.Lock()
			fmt.Println(report.text)
			return
		}
	}
	os.Exit(1)
}

// report is what custody reported first.
var report struct {
	sync.Mutex
	text string
}

// caught notes the panic of the function that defers it. Every goroutine of an escape defers it.
func caught() {
	value := recover()
	if value == nil {
		return
	}
	text := fmt.Sprint("panic: ", value)
	var v *safety.Violation
	if err, ok := value.(error); ok && errors.As(err, &v) {
		text = describe(v)
	}
	report.Lock()
	defer report.Unlock()
	if report.text == "" {
		report.text = text
	}
}

// describe returns a violation's kind and the names in its fields.
func describe(v *safety.Violation) string {
	s := kinds[v.Kind] + ":"
	for _, part := range []struct{ before, text string }{
		{" ", v.Container}, {" job ", v.Job}, {" field ", v.Field}, {" other job ", v.OtherJob}, {" other field ", v.OtherField},
	} {
		if part.text != "" {
			s += part.before + part.text
		}
	}
	if v.Max > 0 {
		s += " index " + strconv.Itoa(v.Index)
	}
	return s
}

var kinds = map[error]string{
	safety.ErrInFlight: "ErrInFlight", safety.ErrOwnerInJob: "ErrOwnerInJob", safety.ErrStaleView: "ErrStaleView",
	safety.ErrPlainField: "ErrPlainField", safety.ErrOverlap: "ErrOverlap", safety.ErrTwice: "ErrTwice",
	safety.ErrDisposed: "ErrDisposed", safety.ErrWriteRange: "ErrWriteRange", safety.ErrConflict: "ErrConflict", safety.ErrCopied: "ErrCopied",
}

// each makes every index of a loop named loop a batch.
func each(n int) []parallelfor.Option {
	return []parallelfor.Option{parallelfor.Batch(1), parallelfor.Workers(n), parallelfor.Name("loop")}
}

// hint lets one goroutine wait for another, without an order that the race detector sees.
type hint struct{ given bool }

//go:norace
func (h *hint) give() { h.given = true }

//go:norace
func (h *hint) wait() {
	for !h.given {
		nap()
	}
}

func nap() { time.Sleep(200 * time.Microsecond) }

// none is the job of a loop without views.
type none struct{}

// sink keeps reads from being optimised away.
var sink int
