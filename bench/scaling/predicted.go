package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
)

// calibration is what the simulated machine has from the one that was measured, in nanoseconds of
// an operation.
type calibration struct {
	Processors int
	Nothing    float64            // of an operation that does nothing, by one goroutine
	Added      [2]float64         // of Add to one number, by one and by two; 0: not measured
	Spread     float64            // of Add to one number of 16, by two goroutines
	Alone      map[string]float64 // of the other programs, by one goroutine
}

// prediction is what a program does with a number of goroutines on the simulated machine.
type prediction struct {
	Name       string
	Goroutines int
	Value      float64 // nanoseconds of an operation, or a loop's speed-up
	Transfers  float64 // an operation
}

type predictions struct {
	Machine         explore.Machine
	Programs, Loops []prediction
}

// most is the number of goroutines up to which programs are predicted.
const most = 64

// predict runs the programs on the machine of a calibration.
func predict(c calibration) (all predictions, err error) {
	if !atom.Explored {
		return all, errors.New("machines are simulated in builds with -tags custody_explore")
	}
	m := fitted(c)
	all.Machine = m
	for i := range programs {
		p := &programs[i]
		computes := c.Nothing // what an operation does besides atomic operations
		if ns := c.Alone[p.name]; ns > 0 {
			computes = max(ns-simulated(m, p, 1, c.Processors, 0).Value, 0)
		}
		for n := 1; n <= most; n *= 2 {
			if p.runs(n) {
				all.Programs = append(all.Programs, typical(m, p, n, c.Processors, computes))
			}
		}
	}
	usual := m // what the library computes in a loop is not measured
	usual.Step, usual.Hit = explore.Usual.Step, explore.Usual.Hit
	return all, predictLoops(usual, &all)
}

// operations of each goroutine, in the simulation.
const operations = 400

// typical returns the run with the median time of several: it matters where objects lie.
func typical(m explore.Machine, p *program, n, processors int, computes float64) prediction {
	var all [3]prediction
	for i := range all {
		all[i] = simulated(m, p, n, processors, computes)
	}
	slices.SortFunc(all[:], func(a, b prediction) int { return cmp.Compare(a.Value, b.Value) })
	return all[len(all)/2]
}

// simulated runs a program with n goroutines, whose operations compute for so many nanoseconds. The
// machine has as many processors as the one that was measured, or as goroutines if these are more.
func simulated(m explore.Machine, p *program, n, processors int, computes float64) prediction {
	runtime.GOMAXPROCS(max(n, processors))
	warm, timed := operations, operations
	if p.keys > 0 {
		warm, timed = 0, p.keys/n
	}
	took, err := explore.Time(m, 1, false, explore.Load{Goroutines: n, Warm: warm, Timed: timed, Fresh: func() func(g, i int) {
		do := p.fresh(n)
		return func(g, i int) {
			if ns := int(float64(i+1)*computes) - int(float64(i)*computes); ns > 0 {
				atom.Delay(ns)
			}
			do(g, i)
		}
	}})
	if err != nil {
		fail(fmt.Errorf("%s: %w", p.name, err))
	}
	ops := float64(n * timed)
	return prediction{p.name, n, float64(took.Time) / ops, float64(took.Transfers) / ops}
}

// fitted returns the usual machine with the times of a calibration: Transfer and Ask are those with
// which the additions take as long as measured, by two goroutines.
func fitted(c calibration) explore.Machine {
	m := explore.Usual
	m.Step, m.Hit = 0.1, 0.1 // what is computed is that of the operation
	m.Update = max(c.Added[0]-c.Nothing-m.Step, m.Step)
	if c.Added[1] == 0 || c.Spread == 0 {
		return m
	}
	m.Hold, m.Then = 0, m.Update
	adds, spreads := programOf(added), programOf(spread)
	with := func(transfer float64) explore.Machine {
		at := m
		by := transfer / explore.Usual.Transfer
		at.Transfer, at.Far, at.Home = transfer, by*at.Far, by*at.Home
		at.Ask = root(0, transfer, func(ask float64) bool {
			at.Ask = ask
			return simulated(at, adds, 2, c.Processors, c.Nothing).Value > c.Added[1]
		})
		return at
	}
	return with(root(0, 20*c.Spread, func(transfer float64) bool {
		return simulated(with(transfer), spreads, 2, c.Processors, c.Nothing).Value < c.Spread
	}))
}

// root returns where more turns from true to false, between lo and hi.
func root(lo, hi float64, more func(x float64) bool) float64 {
	for range 12 {
		if mid := (lo + hi) / 2; more(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

func programOf(name string) *program {
	for i := range programs {
		if programs[i].name == name {
			return &programs[i]
		}
	}
	return nil
}

// predicted has this program, built so that it simulates, predict.
func predicted(c calibration) (all predictions, err error) {
	cmd := exec.Command("go", "run", "-tags", "custody_explore", "example.com/custody/bench/scaling", "-simulate")
	given, err := json.Marshal(c)
	if err != nil {
		return all, err
	}
	cmd.Stdin, cmd.Stderr = bytes.NewReader(given), os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return all, err
	}
	return all, json.Unmarshal(text, &all)
}

// simulate is the other side of predicted.
func simulate(r io.Reader, w io.Writer) error {
	var c calibration
	if err := json.NewDecoder(r).Decode(&c); err != nil {
		return err
	}
	all, err := predict(c)
	if err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(all)
}
