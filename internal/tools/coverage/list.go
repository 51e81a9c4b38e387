package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
)

// byChance is the reason of a block that only some runs reach.
const byChance = "by chance"

// readList reads the list. exempt has the number of blocks for each entry, and guards the build
// that compiles the blocks of each condition or calls each function.
func readList(name string) (exempt map[string]int, guards map[string]string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	return parseList(name, f)
}

func parseList(name string, r io.Reader) (exempt map[string]int, guards map[string]string, err error) {
	exempt, guards = map[string]int{}, map[string]string{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		// The text of a block may contain the separator, so the reason is the last part.
		parts := strings.Split(line, " | ")
		reason := strings.TrimSpace(parts[len(parts)-1])
		isGuard := strings.HasPrefix(parts[0], "if ") || strings.HasPrefix(parts[0], "func ")
		switch {
		case isGuard && len(parts) == 3 && parts[1] != "" && reason != "":
			guards[parts[0]] = parts[1]
		case !isGuard && len(parts) >= 4 && reason == byChance:
			guards[strings.Join(parts[:len(parts)-1], " | ")] = byChance
		case !isGuard && len(parts) >= 4 && reason != "":
			exempt[strings.Join(parts[:len(parts)-1], " | ")]++
		default:
			return nil, nil, fmt.Errorf("%s:%d: not \"file | function | first line | why\" or \"if condition | build | why\"", name, n)
		}
	}
	return exempt, guards, lines.Err()
}
