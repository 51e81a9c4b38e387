package groups_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/bench/internal/groups"
)

func TestEveryGroupHasANameOfItsOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range groups.All {
		assert.False(t, g.Name == "" || seen[g.Name], g.Name)
		assert.NotNil(t, g.Rows)
		assert.Regexp(t, `^[A-Z].*\.$`, g.About)
		seen[g.Name] = true
	}
}

func TestReadmeListsTheGroups(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	list := regexp.MustCompile(`(?m)-only .*# one group: (.*)$`).FindSubmatch(text)
	require.NotNil(t, list)
	var names []string
	for _, g := range groups.All {
		if name := g.Name; strings.Contains(name, " ") {
			names = append(names, strconv.Quote(name))
		} else {
			names = append(names, name)
		}
	}
	assert.Equal(t, strings.Join(names, ", "), string(list[1]))
}
