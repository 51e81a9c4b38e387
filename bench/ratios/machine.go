package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/report"
	"example.com/custody/safety"
)

// describe says what is run, and on what.
func describe(c measure.Config) *report.Run {
	build := "default"
	switch {
	case !safety.Enabled:
		build = "unchecked"
	case safety.Strict:
		build = "strict"
	}
	return &report.Run{
		Command: command(),
		Date:    time.Now().UTC().Format(time.DateOnly),
		Go:      runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, CPU: cpu(),
		Cores: runtime.NumCPU(), Procs: runtime.GOMAXPROCS(0),
		Reps: c.Reps, Brief: c.Brief, Sample: float64(c.Sample) / float64(time.Millisecond), LineNS: measure.PingPong(), Build: build,
	}
}

// command returns how to measure this again: where the JSON went is left out.
func command() string {
	words := []string{"go -C bench run ./ratios"}
	flag.Visit(func(f *flag.Flag) {
		switch value := f.Value.String(); {
		case slices.Contains([]string{"json", "note"}, f.Name):
		case value == "true":
			words = append(words, "-"+f.Name)
		case strings.Contains(value, " "):
			words = append(words, "-"+f.Name, strconv.Quote(value))
		default:
			words = append(words, "-"+f.Name, value)
		}
	})
	return strings.Join(words, " ")
}

// cpu returns the processor's name, as far as the system tells it.
func cpu() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func machine(r *report.Run) string {
	return strings.Join([]string{r.Go, r.OS + "/" + r.Arch, r.CPU}, " ") +
		fmt.Sprintf(", %d cores, GOMAXPROCS %d\n", r.Cores, r.Procs) + lineRoundTrip(r.LineNS)
}

func lineRoundTrip(ns float64) string {
	if ns == 0 {
		return "a cache line's round trip between two cores: there are not two"
	}
	return fmt.Sprintf("a cache line's round trip between two cores: %.0f ns", ns)
}
