package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"example.com/custody/examples/codeindex/internal/words"
	"github.com/peterh/liner"
)

// lineReader reads what is asked at the prompt: from a terminal with its line edited, or as it comes.
type lineReader interface {
	// Line returns the next line. At the end of the input the error is io.EOF; errTooLong is for one line only.
	Line() (string, error)
	io.Closer
}

// longestLine is how many bytes a line may have.
const longestLine = 1 << 16

var errTooLong = fmt.Errorf("a line may have %d bytes", longestLine)

// next waits for a line. When the context ends meanwhile it returns the cause, and the reader must not be used again but
// for Close.
func next(ctx context.Context, r lineReader) (line string, err error) {
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	read := make(chan struct{})
	var l string
	var e error
	go func() {
		defer close(read)
		l, e = r.Line()
	}()
	select {
	case <-read:
		return l, e
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// openLines returns a reader of stdin. Where that and the output are a terminal, lines can be edited, earlier ones come
// back, and the tabulator completes identifiers.
func openLines(stdin io.Reader, stdout io.Writer, x *words.Index) lineReader {
	if f, ok := stdin.(*os.File); ok && f == os.Stdin && isTerminal(f) && isTerminal(stdout) {
		t := terminal{liner.NewLiner()}
		t.SetCtrlCAborts(true)
		t.SetCompleter(func(line string) []string { return completed(x, line) })
		return t
	}
	return plainLines{bufio.NewReaderSize(stdin, longestLine)}
}

// plainLines are lines as they come.
type plainLines struct{ in *bufio.Reader }

// Line returns the next line; also a last one that does not end.
func (p plainLines) Line() (string, error) {
	line, err := p.in.ReadSlice('\n')
	text := strings.TrimSuffix(string(line), "\n")
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = p.in.ReadSlice('\n')
		}
		if err == nil || errors.Is(err, io.EOF) {
			err = errTooLong
		}
		return "", err
	case errors.Is(err, io.EOF) && text != "":
		return text, nil
	}
	return text, err
}

// Close does nothing.
func (plainLines) Close() error { return nil }

// terminal edits lines.
type terminal struct{ *liner.State }

// Line returns a line when it was entered. A line that is given up, with Ctrl-C, is an empty one.
func (t terminal) Line() (string, error) {
	line, err := t.Prompt("> ")
	switch {
	case errors.Is(err, liner.ErrPromptAborted):
		return "", nil
	case err != nil:
		fmt.Println() // what comes next is not to stand behind the prompt
		return "", err
	case len(line) > longestLine:
		return "", errTooLong
	}
	if strings.TrimSpace(line) != "" {
		t.AppendHistory(line)
	}
	return line, nil
}

// completions is how many are offered.
const completions = 50

// completed returns the line with its last word made whole, in the ways that the index knows.
func completed(x *words.Index, line string) (lines []string) {
	k := strings.LastIndexAny(line, " \t") + 1
	if q, err := words.ParseQuery(line[k:]); err != nil || q[0].Prefix {
		return nil
	}
	for _, name := range x.Beginning(line[k:]) {
		if lines = append(lines, line[:k]+name); len(lines) == completions {
			break
		}
	}
	return lines
}
