package safety_test

import (
	"log/slog"
	"os"

	"example.com/custody/safety"
)

// A violation that a server has recovered from is logged by what it is about.
func ExampleViolation_LogValue() {
	v := safety.NewViolation(safety.ErrIndex, "index 7 of array.Array[int] was used, which has length 5", "Indices begin at 0 and end at length-1.")
	v.Container, v.Index, v.Max, v.Length, v.At = "array.Array[int]", 7, 5, 5, "router.go:91"
	log := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == "what" || a.Key == "do" { // for a line that fits here
			return slog.Attr{}
		}
		return a
	}}))
	log.Error("frame dropped", "violation", v)
	// Output: level=ERROR msg="frame dropped" violation.kind="index out of range"
	// violation.container=array.Array[int] violation.index=7 violation.range.min=0
	// violation.range.max=5 violation.length=5 violation.at=router.go:91
}
