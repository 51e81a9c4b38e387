// Rates prints how many schedules a second the explorer runs on one processor. The programs are
// small: three tasks use a ring, and each history is judged linearizable.
//
//	go run -tags custody_explore ./internal/explore/rates
//	go run -race -tags custody_explore ./internal/explore/rates
//
// The first command measures coroutines, the second goroutines under the race detector. The flag
// -profile writes a CPU profile.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"runtime"
	"runtime/pprof"
	"time"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/explore/ring"
	"example.com/custody/internal/sched"
)

// The rates, in schedules a second, that the explorer should reach on a machine of a few GHz.
const (
	plainBar = 150_000
	raceBar  = 20_000
)

func main() {
	log.SetFlags(0)
	seconds := flag.Float64("seconds", 1, "how long each strategy is measured")
	profile := flag.String("profile", "", "the file to write a CPU profile to")
	flag.Parse()
	runtime.GOMAXPROCS(1)
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			log.Fatal(err)
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			log.Fatal(err)
		}
		defer pprof.StopCPUProfile()
	}
	engine, bar := "coroutines", float64(plainBar)
	if sched.Race {
		engine, bar = "goroutines under the race detector", raceBar
	}
	fmt.Printf("%s; the bar is %.0f schedules a second\n", engine, bar)
	for _, m := range []struct {
		name string
		plan func(n int) explore.Plan
	}{
		{"PCT of depth 2", func(n int) explore.Plan { return explore.PCT(2, n) }},
		{"PCT of depth 3", func(n int) explore.Plan { return explore.PCT(3, n) }},
		{"random walk", explore.Random},
	} {
		n, took := measure(*seconds, m.plan)
		rate := float64(n) / took.Seconds()
		verdict := "above the bar"
		if rate < bar {
			verdict = "below the bar"
		}
		fmt.Printf("%-15s %9.0f schedules a second, %s\n", m.name, rate, verdict)
	}
}

// measure explores the scenarios of three tasks in turn. It returns the number of schedules and the
// time that they took.
func measure(seconds float64, plan func(n int) explore.Plan) (schedules int, took time.Duration) {
	limit := time.Duration(seconds * float64(time.Second))
	for seed := uint64(1); took < limit; seed++ {
		for _, s := range ring.Scenarios {
			if len(s.Tasks) != 3 {
				continue
			}
			f, stats := explore.Find(explore.Options{Seed: seed}, s.Program(ring.None), plan(20_000))
			if f != nil {
				log.Fatal(f)
			}
			if stats.Steps == 0 {
				log.Fatal("nothing was interrupted: build it with -tags custody_explore")
			}
			schedules += stats.Schedules
			took += stats.Elapsed
		}
	}
	return schedules, took
}
