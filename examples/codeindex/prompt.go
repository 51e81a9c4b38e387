package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"example.com/custody/examples/codeindex/internal/grep"
	"example.com/custody/examples/codeindex/internal/words"
)

const promptHelp = `name          the lines in which the identifier stands
name other    the lines that have all of the identifiers
name*         any identifier that begins so
:words [n]    the n most frequent identifiers
:help         this text
:quit         the end; so is the end of the input
`

// session is a conversation at the prompt.
type session struct {
	index  *words.Index
	lines  lineReader
	out    *grep.Printer
	stdout io.Writer
	most   int // lines of an answer; 0 is all
}

// prompt makes the index, answers queries until the input ends, and returns the exit status for when it came to its end.
// What is said of the index goes to standard error, answers to standard output.
func prompt(ctx context.Context, o options, stdin io.Reader, stdout, stderr io.Writer) (code int, err error) {
	tree, err := list(ctx, o)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	p := startProgress("indexing", len(tree.Files)*o.passes(), o.progress, stderr)
	x, err := words.Make(ctx, tree.Tree, o.plan(), p.done)
	p.stop()
	if err != nil {
		return 0, err
	}
	s := session{index: x, out: grep.NewPrinter(stdout, stderr, tree.prefix), stdout: stdout, most: o.top}
	if err := s.out.End(x.PrintUnread(s.out)); err != nil {
		return 0, err
	}
	fmt.Fprintf(stderr, "%s: %d files, %s; indexed in %v; :help tells what to ask\n",
		tree.Name, len(tree.Files), x.Summary(), (tree.took + time.Since(began)).Round(time.Millisecond))
	s.lines = openLines(stdin, stdout, x)
	defer s.lines.Close()
	if err := s.run(ctx); err != nil {
		return 0, err
	}
	if s.out.Unread() > 0 {
		return exitTrouble, nil
	}
	return 0, nil
}

// run answers line by line.
func (s *session) run(ctx context.Context) error {
	for {
		line, err := next(ctx, s.lines)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errTooLong):
			_, err = fmt.Fprintln(s.stdout, err)
		case err == nil:
			var quit bool
			if quit, err = s.answer(ctx, strings.TrimSpace(line)); quit {
				return nil
			}
		}
		if err != nil {
			return err
		}
	}
}

// answer does what a line asks for, and says whether that was to quit. The error is that of the output, or the context's.
func (s *session) answer(ctx context.Context, line string) (quit bool, err error) {
	switch fields := strings.Fields(line); {
	case line == "":
	case line == ":quit", line == ":q":
		return true, nil
	case line == ":help", line == "?":
		_, err = io.WriteString(s.stdout, promptHelp)
	case fields[0] == ":words":
		err = s.words(fields[1:])
	case line[0] == ':':
		_, err = fmt.Fprintf(s.stdout, "%q is no command; :help tells what there is\n", line)
	default:
		err = s.query(ctx, line)
	}
	return false, err
}

func (s *session) query(ctx context.Context, line string) error {
	q, err := words.ParseQuery(line)
	if err != nil {
		_, err = fmt.Fprintln(s.stdout, err)
		return err
	}
	began := time.Now()
	found := s.index.Find(q)
	took := time.Since(began)
	shown := found
	if s.most > 0 {
		shown = found[:min(s.most, len(found))]
	}
	if err := s.out.End(s.index.Print(ctx, shown, s.out)); err != nil {
		return err
	}
	more := ""
	if len(shown) < len(found) {
		more = fmt.Sprintf(", the first %d of them shown", len(shown))
	}
	_, err = fmt.Fprintf(s.stdout, "%s: %d lines%s (%v)\n", q, len(found), more, took.Round(time.Microsecond))
	return err
}

func (s *session) words(args []string) (err error) {
	n := 10
	if len(args) > 0 {
		n, err = strconv.Atoi(args[0])
	}
	if err != nil || n < 1 || len(args) > 1 {
		_, err = fmt.Fprintln(s.stdout, ":words takes one number, at least 1")
		return err
	}
	return words.WriteFrequent(s.stdout, s.index.Frequent(n))
}
