package main

import (
	"time"
)

// judge prints the results of the faults and reports whether they are as they must be. listed is
// nil for the catalogue.
func (r *runner) judge(faults []*fault, listed *survivors) bool {
	count := map[outcome]int{}
	ok := true
	equal, left := 0, 0
	for _, f := range faults {
		v := &f.result
		count[v.outcome]++
		if listed == nil {
			ok = ok && v.outcome == killed
			continue
		}
		e := listed.entries[f.name]
		switch {
		case e == nil:
		case v.outcome == survived && e.class == equivalent:
			equal++
		case v.outcome == survived && e.class == explored:
			left++
		case e.class == equivalent:
			r.say("%s: listed in %s, but %s; take it off", f.name, survivorsFile, v)
			ok = false
		case v.outcome == killed || v.outcome == hung:
			r.say("%s: listed as left to explored builds, and killed by chance or for good: %s", f.name, v)
		}
	}
	r.say("\n%d faults in %.0f s: %d killed, %d hang, %d survived, %d do not compile",
		len(faults), time.Since(r.started).Seconds(), count[killed], count[hung], count[survived], count[invalid])
	if listed == nil && count[hung] > 0 {
		r.say("Hang, and no test fails; a watchdog of internal/lawtest or an explored test would:")
		for _, f := range faults {
			if f.result.outcome == hung {
				r.say("  %s", f.name)
			}
		}
	}
	if listed == nil {
		return r.name(faults, nil) && ok
	}
	named := r.name(faults, listed)
	dead := count[killed] + count[hung]
	rate := 100.0
	if judged := dead + count[survived] - equal - left; judged > 0 {
		rate = 100 * float64(dead) / float64(judged)
	}
	r.say("%.1f %% of the mutants killed, without %d that are listed as equivalent and %d left to explored builds; the goal is %d %%", rate, equal, left, goal)
	return ok && (named || rate >= goal)
}

// name prints the survivors that are not listed, and reports whether there were none.
func (r *runner) name(faults []*fault, listed *survivors) bool {
	none := true
	for _, f := range faults {
		if f.result.outcome == survived && (listed == nil || listed.entries[f.name] == nil) {
			if none {
				r.say("Survived, and nobody says why:")
			}
			none = false
			r.say("  %s | %s", f.name, f.change)
		}
	}
	return none
}
