package main

import (
	"bytes"
	"strings"
)

// watcher reads the output of a test binary and keeps the parts that a verdict needs.
type watcher struct {
	line    []byte
	running string   // the test that started or continued last
	failed  string   // the first test that failed
	late    bool     // the time limit was reached
	race    [][]byte // the first report of the race detector
	racing  bool     // the report continues
	last    [][]byte
}

// Write implements io.Writer.
func (w *watcher) Write(b []byte) (int, error) {
	n := len(b)
	for {
		line, rest, ok := bytes.Cut(b, []byte("\n"))
		if len(w.line) < 4096 { // the rest of a longer line is not needed
			w.line = append(w.line, line...)
		}
		if !ok {
			return n, nil
		}
		w.take(w.line)
		w.line = nil
		b = rest
	}
}

// take reads a line.
func (w *watcher) take(line []byte) {
	words := strings.Fields(string(line))
	if len(words) >= 3 && words[0] == "===" && (words[1] == "RUN" || words[1] == "CONT") {
		w.running = words[2]
	}
	if len(words) >= 3 && words[0] == "---" && words[1] == "FAIL:" && (w.failed == "" || strings.HasPrefix(words[2], w.failed+"/")) {
		w.failed = words[2] // the lines of subtests follow that of their test
	}
	if bytes.HasPrefix(line, []byte("panic: test timed out after")) {
		w.late = true
	}
	switch {
	case bytes.HasPrefix(line, []byte("WARNING: DATA RACE")) && w.race == nil:
		w.racing = true
	case bytes.HasPrefix(line, []byte("==================")):
		w.racing = false
	}
	if w.racing {
		w.race = append(w.race, line)
	}
	if w.last = append(w.last, line); len(w.last) > 60 {
		w.last = w.last[1:]
	}
}

func (w *watcher) test() string {
	if w.failed != "" {
		return w.failed
	}
	return w.running
}

// tail returns the first report of a race, if there is one, and the last lines.
func (w *watcher) tail() string {
	return string(bytes.Join(append(w.race, w.last...), []byte("\n")))
}
