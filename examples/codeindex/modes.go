package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"example.com/custody/parallelfor"
	"example.com/custody/timeline"
)

// perform runs the mode that the flags choose, and returns the exit status.
func (o options) perform(ctx context.Context, stdout, stderr io.Writer) (int, error) {
	t, err := open(ctx, o.dir, o.only)
	if err != nil {
		return 0, err
	}
	opts := []parallelfor.Option{parallelfor.Workers(o.workers), parallelfor.Batch(o.batch)}
	out := newPrinter(stdout, stderr, t.prefix)
	if o.pattern != nil {
		return o.grep(ctx, t, out, stdout, stderr, opts)
	}
	if err := t.list(ctx); err != nil {
		return 0, err
	}
	if f, is := stderr.(*os.File); is && o.progress {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			opts = append(opts, parallelfor.Progress(showProgress(stderr)))
		}
	}
	switch {
	case o.query != nil:
		return o.find(ctx, t, out, stderr, opts)
	case o.words:
		return 0, o.index(ctx, t, out, stdout, opts)
	case o.stats:
		return 0, o.summary(ctx, t, out, stdout, opts)
	}
	return 0, o.count(ctx, t, out, stdout, opts)
}

// showProgress returns a callback of a loop that rewrites a line of the terminal.
func showProgress(w io.Writer) func(done, total int) {
	return func(done, total int) {
		fmt.Fprintf(w, "\r%d of %d files", done, total)
		if done == total {
			fmt.Fprint(w, "\r\x1b[K")
		}
	}
}

func (o options) count(ctx context.Context, t *tree, out *printer, w io.Writer, opts []parallelfor.Option) error {
	var c, plain *counts
	speeds, err := inTurns(o.repeat, o.workers,
		func() (err error) { c, err = countFiles(ctx, t, opts...); return err },
		func() (err error) { plain, err = countPlainly(ctx, t); return err })
	if err != nil {
		return err
	}
	out.problems(t, c.errs)
	fmt.Fprintf(w, "%s: %d files\n\n", t.name, len(t.files))
	bytes, err := c.writeTable(w, t, o.top)
	if err != nil {
		return err
	}
	fmt.Fprint(w, speeds(bytes))
	return o.verified(w, reflect.DeepEqual(plain, c))
}

// verified writes the verdict of -verify.
func (o options) verified(w io.Writer, same bool) error {
	if !o.verify {
		return nil
	}
	if !same {
		return errors.New("the parallel loop differs from the plain one")
	}
	_, err := fmt.Fprintln(w, "verified: the plain loop leaves the same")
	return err
}

func (o options) index(ctx context.Context, t *tree, out *printer, w io.Writer, opts []parallelfor.Option) error {
	var x *index
	var plain *plainIndex
	speeds, err := inTurns(o.repeat, o.workers,
		func() (err error) { x = nil; x, err = makeIndex(ctx, t, opts...); return err },
		func() (err error) { plain = nil; plain, err = indexPlainly(ctx, t); return err })
	if err != nil {
		return err
	}
	out.problems(t, x.errs)
	if err := x.writeWords(w, o.top); err != nil {
		return err
	}
	fmt.Fprint(w, speeds(x.bytes))
	return o.verified(w, x.same(plain))
}

func (o options) find(ctx context.Context, t *tree, out *printer, stderr io.Writer, opts []parallelfor.Option) (int, error) {
	x, err := makeIndex(ctx, t, opts...)
	if err != nil {
		return 0, err
	}
	out.problems(t, x.errs)
	found := x.find(o.query)
	if err := x.print(ctx, found, out); err != nil {
		return 0, err
	}
	code, err := out.status()
	if err != nil || !o.verify {
		return code, err
	}
	want, err := findPlainly(ctx, t, o.query)
	return code, errors.Join(err, o.verified(stderr, slices.Equal(want, found)))
}

func (o options) grep(ctx context.Context, t *tree, out *printer, stdout, stderr io.Writer, opts []parallelfor.Option) (int, error) {
	var got, want bytes.Buffer
	if o.verify {
		out = newPrinter(io.MultiWriter(stdout, &got), io.MultiWriter(stderr, &got), t.prefix)
	}
	if err := search(ctx, t, o.pattern, out, opts...); err != nil {
		return 0, err
	}
	out.flush()
	if o.verify {
		if err := searchPlainly(ctx, t, o.pattern, &want); err != nil {
			return 0, err
		}
		if err := o.verified(stderr, bytes.Equal(got.Bytes(), want.Bytes())); err != nil {
			return 0, err
		}
	}
	return out.status()
}

func (o options) summary(ctx context.Context, t *tree, out *printer, w io.Writer, opts []parallelfor.Option) error {
	s, err := makeStats(ctx, t, opts...)
	if err != nil {
		return err
	}
	out.problems(t, s.errs)
	if err := s.write(w, t, o.top); err != nil || !o.verify {
		return err
	}
	plain, err := statsPlainly(ctx, t)
	return errors.Join(err, o.verified(w, reflect.DeepEqual(plain, s)))
}

// drawings are the forms of a timeline, by the end of the file's name.
var drawings = map[string]func(io.Writer, []parallelfor.RecordedJob) error{
	".svg": timeline.SVG, ".json": timeline.Trace, ".dot": timeline.DOT,
}

func draw(file string, jobs []parallelfor.RecordedJob) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(drawings[filepath.Ext(file)](f, jobs), f.Close())
}
