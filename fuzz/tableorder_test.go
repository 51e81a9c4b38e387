package fuzz_test

import (
	"fmt"
	"slices"
	"testing"
)

// Two requests on one row, in every order, leave what the model says: of a row that is there or
// staged still, of tables with keys or without, whose rows move or stay, with a row that is found
// dead or not. They are commands of FuzzTable.
func TestEveryOrderOfTwoRequestsOnOneRow(t *testing.T) {
	first := byte(23) // the name that was given first, as those of requests and of what loops stage are numbered
	requests := []struct {
		name     string
		commands []byte
	}{
		{"add", []byte{0, 5}},
		{"add and call off", []byte{0, 5, 2, 0, 0, 0}},
		{"remove", []byte{2, first, 0, 0}},
		{"remove by key", []byte{3, 5}},
		{"transfer", []byte{4, first}},
		{"a loop removes", []byte{5, 1, 200, 0}},
		{"a loop adds and removes", []byte{5, 6, 200, 1}},
	}
	for bits := range byte(16) {
		keyed, fixed, there, dies := bits&1, bits>>1&1, bits&4 != 0, bits&8 != 0
		t.Run(fmt.Sprintf("keys %d, fixed %d, there %v, dies %v", keyed, fixed, there, dies), func(t *testing.T) {
			for _, a := range requests {
				for _, b := range requests {
					input := []byte{keyed, fixed, 0, 1, 5, 5, keyed, fixed, 0, 1, 5, 1} // one row each, staged
					if there {
						input = append(input, 6, 0, 5, 22, 0, 5)
					}
					input = slices.Concat(input, a.commands, b.commands)
					if dies {
						input = append(input, 6, 1, 0)
					} else {
						input = append(input, 6, 0, 5)
					}
					t.Log(a.name, "and", b.name)
					runTable(t, append(input, 15, 22, 0, 5, 15, 6, 0, 5, 15))
				}
			}
		})
	}
}
