package main

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"example.com/custody/safety"
)

// misuse is a way to break a rule: a title of its own, the function that does it, whose comment and
// body are printed, the violation that it must be, and the builds that report it.
type misuse struct {
	title  string
	commit func()
	want   safety.Violation // except its text and At, which every violation has; places are somewhere, or empty
	level  level
}

// level says which builds report a misuse.
type level uint8

const (
	checked level = iota // checked and strict ones
	strict               // strict ones
	alone                // strict ones without -race, whose detector finds it
	always               // all, unchecked ones too
)

// somewhere stands for any line of the files that the misuses are in, alone or at the end of a
// job's name.
const somewhere = "file:line"

// misuses are all of them, by kind.
var misuses = inOrderOfKinds(conflicts, inUse, fields, absent, indices, lengths, arguments, nested, handles, authors, inParts, disposedAfter, staleLoans, queues, hashMaps, listsAndStreams, tables, keys, changes, computations, onlyStrict)

func inOrderOfKinds(tables ...[]misuse) []misuse {
	all := slices.Concat(tables...)
	slices.SortStableFunc(all, func(a, b misuse) int { return a.kind() - b.kind() })
	return all
}

// kind returns the number of the misuse's kind in kinds.
func (m misuse) kind() int {
	return slices.IndexFunc(kinds, func(k kind) bool { return k.is == m.want.Kind })
}

// only returns which builds report the misuse, if few do.
func (m misuse) only() string {
	switch m.level {
	case strict:
		return "Only strict builds report it."
	case alone:
		return "Only strict builds report it; those with `-race` leave it to the race detector."
	}
	return ""
}

// here reports whether this build reports the misuse.
func (m misuse) here() bool {
	switch m.level {
	case always:
		return true
	case strict:
		return safety.Strict
	case alone:
		return safety.Strict && !detector
	}
	return safety.Enabled
}

// name returns the name of the function that commits the misuse.
func (m misuse) name() string { return funcName(m.commit) }

// funcName returns the name of a declared function.
func funcName(f func()) string {
	full := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	return full[strings.LastIndexByte(full, '.')+1:]
}

// catch commits the misuse and returns the violation that it was reported as. It fails if nothing,
// or another violation, was reported.
func (m misuse) catch() (v *safety.Violation, err error) {
	defer func() {
		value := recover()
		if value == nil {
			err = fmt.Errorf("%s: nothing was reported", m.name())
			return
		}
		e, _ := value.(error)
		if !errors.As(e, &v) {
			err = fmt.Errorf("%s: a panic that is no violation: %v", m.name(), value)
			return
		}
		for _, d := range m.differences(v) {
			err = errors.Join(err, fmt.Errorf("%s: %s", m.name(), d))
		}
	}()
	m.commit()
	return nil, nil
}

// differences returns the fields in which v is not as wanted.
func (m misuse) differences(v *safety.Violation) (found []string) {
	if !errors.Is(v, m.want.Kind) {
		return []string{fmt.Sprintf("reported as %q, not as %q", v.Kind, m.want.Kind)}
	}
	got, want := reflect.ValueOf(*v), reflect.ValueOf(m.want)
	for i := range got.NumField() {
		f := got.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		g, w := got.Field(i).Interface(), want.Field(i).Interface()
		if f.Name == "At" {
			w = somewhere
		}
		if before, ok := strings.CutSuffix(fmt.Sprint(w), somewhere); ok { // a place, or a name that ends in one
			at, is := strings.CutPrefix(fmt.Sprint(g), before)
			if file, line, ok := strings.Cut(at, ":"); is && ok && line != "" && slices.Contains(files(), file) {
				continue
			}
		}
		if g != w {
			found = append(found, fmt.Sprintf("%s is %#v, not %#v", f.Name, g, w))
		}
	}
	return found
}
