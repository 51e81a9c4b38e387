package main

import (
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far the loops are. They count what they have done in a number that is no container:
// what a job adds to in a container is not to be read before the job was completed.
type progress struct {
	done   *atomic.Int64
	bar    *progressbar.ProgressBar
	ticker *time.Ticker
	quit   chan struct{}
	gone   chan struct{}
}

// startProgress begins to show how many of total were done, if it is wanted and w is a terminal.
func startProgress(what string, total int, wanted bool, w io.Writer) *progress {
	p := &progress{done: new(atomic.Int64)}
	if !wanted || !isTerminal(w) {
		return p
	}
	p.show(what, total, w)
	return p
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// show starts the goroutine that draws the bar.
func (p *progress) show(what string, total int, w io.Writer) {
	p.bar = progressbar.NewOptions(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSetItsString("files"),
		progressbar.OptionShowIts(),
		progressbar.OptionShowCount(),
		progressbar.OptionFullWidth(),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionThrottle(50*time.Millisecond),
	)
	p.ticker = time.NewTicker(100 * time.Millisecond)
	p.quit, p.gone = make(chan struct{}), make(chan struct{})
	go p.watch(total)
}

// watch draws until it is told to stop. That the terminal fails is no reason to fail.
func (p *progress) watch(total int) {
	defer close(p.gone)
	for {
		select {
		case <-p.ticker.C:
			_ = p.bar.Set64(min(p.done.Load(), int64(total)))
		case <-p.quit:
			_ = p.bar.Exit()
			return
		}
	}
}

// stop ends the display and clears its line.
func (p *progress) stop() {
	if p.bar == nil {
		return
	}
	p.ticker.Stop()
	close(p.quit)
	<-p.gone
	_ = p.bar.Clear()
}
