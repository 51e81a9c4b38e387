package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSurvivorsAreRead(t *testing.T) {
	s, err := parseSurvivors("# why\n\nm:1 | a | b => a | equivalent | the same\nm:2 | x || y => x | explored | a race\n")
	require.NoError(t, err)
	require.Equal(t, map[string]*survivor{
		"m:1": {change: "a | b => a", class: equivalent},
		"m:2": {change: "x || y => x", class: explored},
	}, s.entries)
}

func TestSurvivorsThatSayTooLittle(t *testing.T) {
	for text, what := range map[string]string{
		"m:1 | x => y":                                   "not \"name",
		"m:1 | x => y | boring | why":                    "class",
		"m:1 | x => y | equivalent |  ":                  "not \"name",
		"m:1 | x | explored | w\nm:1 | x | explored | w": "twice",
	} {
		_, err := parseSurvivors(text)
		require.ErrorContains(t, err, what, text)
	}
}

func TestSurvivorsThatFitNoMutant(t *testing.T) {
	s, err := parseSurvivors("m:1 | x => y | equivalent | w\nm:2 | x => y | explored | w")
	require.NoError(t, err)
	one := &fault{name: "m:1", change: "x => y"}
	two := &fault{name: "m:2", change: "x => y"}
	require.NoError(t, s.match([]*fault{one, two}, true))
	require.ErrorContains(t, s.match([]*fault{one}, true), "no mutant m:2")
	require.NoError(t, s.match([]*fault{one}, false))
	two.change = "x => z"
	require.ErrorContains(t, s.match([]*fault{one, two}, true), `now "x => z"`)
}

func TestTheListIsTrueOfTheTree(t *testing.T) {
	s, err := readSurvivors("../../../" + survivorsFile)
	require.NoError(t, err)
	all, err := generate("../../..", nil)
	require.NoError(t, err)
	require.NoError(t, s.match(all, true))
	_, err = readSurvivors("no/such.txt")
	require.Error(t, err)
}
