package safety

import (
	"bufio"
	"fmt"
	"io"

	"example.com/custody/internal/phrase"
)

// Dump writes what the ledger knows now: the tracked containers ([SetLeakMode]) that are not
// disposed, with the jobs that hold each of them, and the jobs that were scheduled and not
// completed, with their state and what each runs after. It shows why a program waits or is refused.
// Any goroutine may call it at any time: what changes meanwhile appears as it was or as it is. Dump
// returns the error of w.
func Dump(w io.Writer) error {
	b := bufio.NewWriter(w)
	all := trackedNow()
	if mode(watching.word.Load()) == LeaksOff && len(all) == 0 {
		fmt.Fprintln(b, "custody: containers are not tracked (safety.SetLeakMode)")
	} else {
		fmt.Fprintf(b, "custody: %s\n", phrase.Amount(len(all), "container"))
	}
	for _, e := range all {
		fmt.Fprintf(b, "  %s, made at %s\n", e.name, e.site)
		if g := e.guard.Value(); g != nil {
			for _, line := range g.describe() {
				fmt.Fprintf(b, "    %s\n", line)
			}
		}
	}
	jobs := jobsNow()
	fmt.Fprintf(b, "custody: %s not completed\n", phrase.Amount(len(jobs), "job"))
	for _, j := range jobs {
		state := "waits to be run"
		switch {
		case j.Finished:
			state = "has finished"
		case j.started:
			state = "runs"
		}
		fmt.Fprintf(b, "  job %s, scheduled at %s: %s\n", j.Job, j.Scheduled, state)
		for _, d := range j.ticket.Value().after() {
			fmt.Fprintf(b, "    runs after job %s, scheduled at %s\n", d.job, d.site)
		}
	}
	return b.Flush()
}

// describe returns a line for each job that holds the guard.
func (g *Guard) describe() (lines []string) {
	held, d := g.holders()
	if d != nil {
		lines = append(lines, fmt.Sprintf("split into %s at %s", phrase.Amount(len(d.parts), "part"), d.site))
		for _, p := range d.parts {
			lines = append(lines, "  "+p.Container())
			for _, line := range p.describe() {
				lines = append(lines, "    "+line)
			}
		}
	}
	for i := range held {
		lines = append(lines, held[i].text())
	}
	if len(lines) == 0 {
		return []string{"its owner's"}
	}
	return lines
}

// text returns what the job does with the container.
func (h *holding) text() string {
	state := "has not finished"
	if h.sealed {
		state = "has finished"
	}
	return jobText(h.job, h.field) + h.site.scheduled(",") + " " + h.mode.verb() + " it and " + state
}

// holders returns the jobs that hold the container, those of prev first, and its division.
//
//go:norace
func (g *Guard) holders() (all []holding, d *Division) {
	if g.word.Load()&(heldAny|divided|locked) != 0 { // otherwise there are none
		g.lock()
		for _, list := range [...][]record{g.prev, g.cur} {
			for i := range list {
				all = append(all, list[i].ticket.holding(list[i].claim))
			}
		}
		d = g.division
		g.unlock()
	}
	return all, d
}

// after returns the jobs that the ticket runs after directly and that are not returned.
//
//go:norace
func (t *Ticket) after() (all []holding) {
	if t == nil {
		return nil
	}
	t.mu.Lock() // while a ticket has deps it is not returned, so a driver keeps these as they are
	for _, d := range t.deps {
		if d.returned.Load() == 0 {
			all = append(all, holding{job: d.job, site: d.site})
		}
	}
	t.mu.Unlock()
	return all
}
