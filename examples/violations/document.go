package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/custody/safety"
)

// The list of all kinds lies between these marks in violations.md, whose other text is written by
// hand.
const listBegin, listEnd = "<!-- the list of kinds -->\n", "\n<!-- its end -->"

// list is the page with the list of all kinds.
const list = "violations.md"

// pages returns the pages of the catalogue by their paths below docs: the list of all kinds, with
// the text that stands around it in docs, and a page for each kind.
func pages(docs string) (map[string]string, error) {
	if !safety.Enabled {
		return nil, errors.New("unchecked builds report too little to fill the catalogue")
	}
	l, err := newListing()
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	var rows strings.Builder
	rows.WriteString("\n| kind | when |\n|---|---|\n")
	for k, kind := range kinds {
		if all[kind.path()], err = kind.page(l, of(k)[0]); err != nil {
			return nil, err
		}
		fmt.Fprintf(&rows, "| [%s](%s) | %s |\n", kind.name, kind.path(), kind.brief())
	}
	text, err := os.ReadFile(filepath.Join(docs, list))
	if err != nil {
		return nil, err
	}
	before, rest, begins := strings.Cut(string(text), listBegin)
	_, after, ends := strings.Cut(rest, listEnd)
	if !begins || !ends {
		return nil, fmt.Errorf("%s has no place for the list", list)
	}
	all[list] = before + listBegin + rows.String() + listEnd + after
	return all, nil
}

// of returns the misuses of a kind, which is not empty.
func of(kind int) (list []misuse) {
	for _, m := range misuses {
		if m.kind() == kind {
			list = append(list, m)
		}
	}
	return list
}

// path returns where the kind's page lies below docs.
func (k kind) path() string { return "violations/" + k.name + ".md" }

// brief returns the first statement of what the kind is about.
func (k kind) brief() string {
	return k.when[:strings.IndexAny(k.when, ":;.")]
}

// page returns the page of a kind: a misuse in full, and its repair.
func (k kind) page(l *listing, m misuse) (string, error) {
	s, err := m.say(l)
	if err != nil {
		return "", err
	}
	name := funcName(k.fix)
	how, err := l.comment(name)
	if err != nil {
		return "", err
	}
	fixed := added(l.parts(m.name()), l.parts(name))
	return fmt.Sprintf("# safety.%s: %s\n\n%s%s\n\n~~~go\n%s\n~~~\n\n```\n%s\n```\n\n%s\n\n## Fix\n\n%s\n\n~~~go\n%s\n~~~\n",
		k.name, k.is, strings.ToUpper(k.when[:1]), k.when[1:],
		s.code, strings.TrimSpace(s.report), strings.TrimSpace(s.comment), strings.TrimSpace(how), fixed), nil
}

// added returns the declarations and statements that the first list has not.
func added(old, now []string) string {
	var b strings.Builder
	for _, part := range now {
		if !slices.Contains(old, part) {
			b.WriteString(part + "\n")
			if isDeclaration(part) {
				b.WriteString("\n")
			}
		}
	}
	return strings.TrimSpace(b.String())
}

// isDeclaration reports whether a part of a listing stands outside of functions.
func isDeclaration(part string) bool {
	return strings.HasPrefix(part, "type ") || strings.HasPrefix(part, "func ")
}

// where returns in which builds the misuse is reported, if those are not the checked and strict
// ones.
func (m misuse) where() string {
	switch {
	case m.only() != "":
		return " (strict builds)"
	case m.level == always:
		return " (all builds)"
	}
	return ""
}

// writePages writes the catalogue into the directory docs.
func writePages(docs string) error {
	all, err := pages(docs)
	if err != nil {
		return err
	}
	for path, text := range all {
		at := filepath.Join(docs, filepath.FromSlash(path))
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o777), os.WriteFile(at, []byte(text), 0o666)); err != nil {
			return err
		}
	}
	return nil
}
