package builds

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"time"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/safety"
)

// A child is a process of a build. It reads a number, does its work so many times, and answers with
// the nanoseconds; while it waits it needs no processor.

// Serve is the child's part: it does the named work until in ends.
func Serve(work string, in io.Reader, out io.Writer) error {
	start := works[work]
	if start == nil {
		return errors.New("there is no work " + strconv.Quote(work))
	}
	_, do := start()
	side := measure.Do(work, do)
	fmt.Fprintln(out, greeting(safety.Enabled))
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		n, err := strconv.Atoi(lines.Text())
		if err != nil {
			return err
		}
		runtime.GC()
		side.Time(1)
		if _, err := fmt.Fprintln(out, side.Time(n).Nanoseconds()); err != nil {
			return err
		}
	}
	return lines.Err()
}

func greeting(checked bool) string {
	if checked {
		return "checked"
	}
	return "unchecked"
}

type child struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

// startChild starts a program to do the work, and makes sure that it is of the build that it should
// be.
func startChild(program, work string, checked bool) (*child, error) {
	c := &child{cmd: exec.Command(program, work)}
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
	if !c.out.Scan() || c.out.Text() != greeting(checked) {
		c.stop()
		return nil, fmt.Errorf("a child said %q instead of %q", c.out.Text(), greeting(checked))
	}
	return c, nil
}

// time has the work done n times.
func (c *child) time(n int) time.Duration {
	fmt.Fprintln(c.in, n)
	if !c.out.Scan() {
		panic("groups: a child ended")
	}
	ns, err := strconv.ParseInt(c.out.Text(), 10, 64)
	if err != nil {
		panic(err)
	}
	return time.Duration(ns)
}

func (c *child) stop() {
	_ = c.in.Close()
	_ = c.cmd.Wait()
}
