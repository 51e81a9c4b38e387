package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// visible reports whether the race detector must see the whole library. In explored builds only the
// directive in hides keeps it from a function, and the overlay removes that.
func (t trial) visible() bool { return t.race && t.tags == "custody_explore" }

// library are the packages that hide functions from the race detector.
var library = []string{"safety", "lane", "internal/lanes", "array", "counter", "queue", "parallelfor", "hashmap", "table"}

// hides is the directive that hides a function from the race detector.
var hides = []byte("\n//go:norace\n")

// overlay writes the broken file and the other files that the build must see in place of those in
// the tree, and returns the name of the overlay file that lists them. If the trial is visible, the
// others are the files that hide functions. With prune, they are the test files without the
// declarations that the trial does not need.
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
		if visible && !strings.HasSuffix(name, "_test.go") { // tests are not part of the library
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
