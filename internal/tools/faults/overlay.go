package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// visible says whether the race detector is to see all of the library: in explored builds nothing is hidden from it
// but what a directive says, and that is taken away.
func (t trial) visible() bool { return t.race && t.tags == "custody_explore" }

// library are the packages where something is hidden from the race detector.
var library = []string{"safety", "lane", "array", "counter", "queue", "parallelfor", "hashmap", "table"}

// hides is the directive that keeps the race detector away from a function.
var hides = []byte("\n//go:norace\n")

// overlay writes the broken file, and the others of which the build is to see something else, and the file that tells
// the build of them: for a trial in which all of the library is visible the files in which something is hidden,
// and with prune the test files, without what the trial does not run.
func overlay(root, folder string, f *fault, t trial, prune bool) (string, error) {
	files := map[string][]byte{}
	visible := t.visible()
	if prune {
		rest, err := pruned(filepath.Join(root, t.pkg), t.run)
		if err != nil {
			return "", err
		}
		files = rest
	}
	if visible {
		for _, dir := range library {
			names, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
			if err != nil {
				return "", err
			}
			for _, name := range names {
				if text, err := os.ReadFile(name); err != nil {
					return "", err
				} else if !strings.HasSuffix(name, "_test.go") && bytes.Contains(text, hides) {
					files[name] = text
				}
			}
		}
	}
	if f != nil {
		files[filepath.Join(root, f.file)] = f.text
	}
	replace := map[string]string{}
	for name, text := range files {
		if visible && !strings.HasSuffix(name, "_test.go") { // what tests hide is no part of the library
			text = bytes.ReplaceAll(text, hides, []byte("\n//\n"))
		}
		changed := filepath.Join(folder, fmt.Sprintf("%d_%s", len(replace), filepath.Base(name)))
		if err := os.WriteFile(changed, text, 0o666); err != nil {
			return "", err
		}
		replace[name] = changed
	}
	b, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(folder, "overlay.json")
	return name, os.WriteFile(name, b, 0o666)
}
