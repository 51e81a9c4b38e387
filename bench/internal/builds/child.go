package builds

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/safety"
)

// A child is a process of a build. It reads a number, does its work so many times, and answers with
// the nanoseconds; while it waits it needs no processor.

// Serve is the child's part: it does a side's work until in ends.
func Serve(name, side string, in io.Reader, out io.Writer) error {
	start := works[name]
	if start == nil {
		return fmt.Errorf("there is no work %q", name)
	}
	work := start()
	do := work.ours
	if side == goroutines {
		do = work.goroutines
	}
	timed := measure.Do(side, do)
	fmt.Fprintln(out, thisBuild())
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		n, err := strconv.Atoi(lines.Text())
		if err != nil {
			return err
		}
		runtime.GC()
		timed.Time(1)
		if _, err := fmt.Fprintln(out, timed.Time(n).Nanoseconds()); err != nil {
			return err
		}
	}
	return lines.Err()
}

// thisBuild returns the name of the build that this program is of.
func thisBuild() string {
	info, ok := debug.ReadBuildInfo()
	switch {
	case ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}):
		return "race"
	case safety.Enabled:
		return "checked"
	}
	return "unchecked"
}

type child struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

// startChild starts the program in dir that has the name of the build, to do a side's work. It
// makes sure that the program is of that build.
func startChild(dir, build, work, side string) (*child, error) {
	c := &child{cmd: exec.Command(filepath.Join(dir, build), work, side)}
	c.cmd.Stderr = os.Stderr
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	c.in, c.out = in, bufio.NewScanner(out)
	if !c.out.Scan() || c.out.Text() != build {
		c.stop()
		return nil, fmt.Errorf("a child said %q instead of %q", c.out.Text(), build)
	}
	return c, nil
}

// time has the work done n times.
func (c *child) time(n int) time.Duration {
	fmt.Fprintln(c.in, n)
	if !c.out.Scan() {
		panic("builds: a child ended")
	}
	ns, err := strconv.ParseInt(c.out.Text(), 10, 64)
	if err != nil {
		panic(err)
	}
	return time.Duration(ns)
}

// stop kills the child: a program with the race detector sleeps for a second before it ends.
func (c *child) stop() {
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait()
}
