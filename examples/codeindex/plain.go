package main

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// countPlainly is countFiles without the library: a loop over slices.
func countPlainly(ctx context.Context, t *tree) (*counts, error) {
	c := &counts{tallies: make([]tally, len(t.files)), errs: make([]error, len(t.files))}
	for k := range c.byExt {
		c.byExt[k] = make([]int64, len(t.exts))
	}
	return c, t.each(ctx, func(i int, text []byte, err error) {
		if err != nil {
			c.errs[i] = err
			c.byExt[unreadable][t.files[i].ext]++
			return
		}
		c.tallies[i] = scan(text)
		for k, n := range c.tallies[i].cells() {
			c.byExt[k][t.files[i].ext] += n
		}
	})
}

// each calls use with the text of each file, in order. It returns the cause when ctx ends.
func (t *tree) each(ctx context.Context, use func(i int, text []byte, err error)) error {
	for i, f := range t.files {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		withText(t.fsys, f.path, func(text []byte, err error) { use(i, text, err) })
	}
	return nil
}

// inTurns runs both loops so many times, in turns, so that a slow spell of the machine slows both.
// It returns how fast they were as a function of the bytes that a pass reads.
func inTurns(times, workers int, parallel, plain func() error) (speeds func(bytes int64) string, err error) {
	var took [2][]time.Duration
	for range times {
		for k, loop := range []func() error{parallel, plain} {
			began := time.Now()
			if err := loop(); err != nil {
				return nil, err
			}
			took[k] = append(took[k], time.Since(began))
		}
	}
	p, s := median(took[0]), median(took[1])
	return func(bytes int64) string {
		speed := func(d time.Duration) string {
			return fmt.Sprintf("%v, %.0f MB/s", d.Round(d/1000+1), float64(bytes)/1e6/d.Seconds())
		}
		return fmt.Sprintf("\nsequential  %s\nparallel    %s, %d workers: %.2f times as fast (medians of %d)\n",
			speed(s), speed(p), workers, float64(s)/float64(p), times)
	}, nil
}

func median(times []time.Duration) time.Duration {
	return max(slices.Sorted(slices.Values(times))[len(times)/2], 1)
}
