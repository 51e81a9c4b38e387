package main

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What go vet and go fix look for is looked for here; only what concerns cgo is not, which this
// project has none of.
func TestTheAnalyzersAreThoseOfVetAndFix(t *testing.T) {
	var here []string
	for _, a := range slices.Concat(vet, fix) {
		here = append(here, a.Name)
	}
	names := regexp.MustCompile(`(?m)^    ([a-z]+) +\S`)
	for _, tool := range []string{"vet", "fix"} {
		out, err := exec.Command("go", "tool", tool, "help").Output()
		if err != nil {
			t.Fatal(err)
		}
		_, list, _ := strings.Cut(string(out), "Registered analyzers:")
		list, _, _ = strings.Cut(list, "By default")
		all := names.FindAllStringSubmatch(list, -1)
		if len(all) < 15 {
			t.Fatalf("go tool %s help lists its analyzers otherwise now:\n%s", tool, out)
		}
		for _, m := range all {
			if name := m[1]; name != "cgocall" && !(tool == "fix" && name == "waitgroup") && !slices.Contains(here, name) { // that one is called waitgroupgo elsewhere
				t.Errorf("go %s looks for %s, too", tool, name)
			}
		}
	}
}
