package safety

import (
	"path/filepath"
	"runtime"
	"strconv"
)

// Site is a place in the program, kept as one word and resolved only when a text needs it.
type Site uintptr

// Caller returns the place that called the function skip frames above its caller: with 0, the place
// where Caller is called.
func Caller(skip int) Site {
	var pc [1]uintptr
	runtime.Callers(skip+2, pc[:])
	return Site(pc[0])
}

// scheduled says of a job that it was scheduled there, if that is known, as what goes between its name and the rest
// of a sentence; end is the sign behind it.
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
