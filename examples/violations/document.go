package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"example.com/custody/safety"
)

// What the catalogue says before and after its rules.
var (
	//go:embed text/intro.md
	intro string
	//go:embed text/absent.md
	notHere string
)

// document writes the catalogue of all rules to w.
func document(w io.Writer) error {
	if !safety.Enabled {
		return errors.New("unchecked builds report too little to fill the catalogue")
	}
	l, err := newListing()
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(intro)
	b.WriteString("\n## All rules\n\n| kind | when | checked | strict | unchecked |\n|---|---|---|---|---|\n")
	for _, m := range misuses {
		fmt.Fprintf(&b, "| `safety.%s` | [%s](#%s) | %s | yes | %s |\n", kinds[m.kind()].name, m.title, anchor(m.title), yes(m.only() == ""), yes(m.level == always))
	}
	for k, kind := range kinds {
		fmt.Fprintf(&b, "\n## safety.%s: %s\n\n%s%s\n", kind.name, kind.is, strings.ToUpper(kind.when[:1]), kind.when[1:])
		for _, m := range misuses {
			if m.kind() != k {
				continue
			}
			s, err := m.say(l)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "\n### %s%s\n\n%s\n", strings.ToUpper(m.title[:1]), m.title[1:], s.comment)
			if only := m.only(); only != "" {
				b.WriteString(only + "\n\n")
			}
			fmt.Fprintf(&b, "```\n%s\n```\n\n~~~go\n%s\n~~~\n", strings.TrimSpace(s.report), s.code)
		}
	}
	b.WriteString("\n")
	b.WriteString(notHere)
	_, err = io.WriteString(w, b.String())
	return err
}

func yes(does bool) string {
	if does {
		return "yes"
	}
	return "-"
}

// anchor is what the heading of that title is linked to by.
func anchor(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, title)
}
