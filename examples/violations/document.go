package main

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"example.com/custody/safety"
)

// What the list of kinds says before and after its table.
var (
	//go:embed text/intro.md
	intro string
	//go:embed text/absent.md
	notHere string
)

// pages returns the pages of the catalogue by their paths below docs: violations.md, the list of
// all kinds, and a page for each.
func pages() (map[string]string, error) {
	if !safety.Enabled {
		return nil, errors.New("unchecked builds report too little to fill the catalogue")
	}
	l, err := newListing()
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	var list strings.Builder
	list.WriteString(intro + "\n## All kinds\n\n| kind | when |\n|---|---|\n")
	for k, kind := range kinds {
		if all[kind.path()], err = kind.page(l, of(k)); err != nil {
			return nil, err
		}
		fmt.Fprintf(&list, "| [safety.%s](%s) | %s |\n", kind.name, kind.path(), kind.when)
	}
	all["violations.md"] = list.String() + "\n" + notHere
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

// page returns the page of a kind: its first misuse in full, and the titles of the others.
func (k kind) page(l *listing, of []misuse) (string, error) {
	s, err := of[0].say(l)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# safety.%s: %s\n\n%s%s\n\n", k.name, k.is, strings.ToUpper(k.when[:1]), k.when[1:])
	fmt.Fprintf(&b, "## Example: %s\n\n%s\n\n```\n%s\n```\n\n~~~go\n%s\n~~~\n",
		of[0].title, strings.TrimSpace(s.comment), strings.TrimSpace(s.report), s.code)
	if len(of) > 1 {
		b.WriteString("\n## Also\n\n")
	}
	for _, m := range of[1:] {
		fmt.Fprintf(&b, "- %s%s\n", m.title, m.where())
	}
	return b.String(), nil
}

// where returns in which builds the misuse is reported, if those are not the checked and strict ones.
func (m misuse) where() string {
	switch {
	case m.only() != "":
		return " (strict builds only)"
	case m.level == always:
		return " (all builds)"
	}
	return ""
}

// writePages writes the catalogue into the directory docs.
func writePages(docs string) error {
	all, err := pages()
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
