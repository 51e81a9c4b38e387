package safety

import (
	"path/filepath"
	"runtime"
	"strconv"
)

// Site is a place in the program, kept as one word and resolved only when a text needs it.
// Each method, for authors: constant; wait-free; O(1); allocates the text.
type Site uintptr

// Caller returns the place that called the function skip frames above its caller: with 0, the place
// where Caller is called.
func Caller(skip int) Site {
	var pc [1]uintptr
	runtime.Callers(skip+2, pc[:])
	return Site(pc[0])
}

// scheduled returns what follows the name of a job in a sentence: that it was scheduled at s, if
// that is known, and the punctuation mark end.
func (s Site) scheduled(end string) string {
	if s == 0 {
		return ""
	}
	return ", scheduled at " + s.String() + end
}

// String returns file:line, or nothing for the zero Site.
func (s Site) String() string {
	if s == 0 {
		return ""
	}
	f, _ := runtime.CallersFrames([]uintptr{uintptr(s)}).Next()
	return filepath.Base(f.File) + ":" + strconv.Itoa(f.Line)
}
