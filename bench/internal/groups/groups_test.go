package groups

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryGroupHasANameOfItsOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range All {
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
	for _, g := range All {
		if name := g.Name; strings.Contains(name, " ") {
			names = append(names, strconv.Quote(name))
		} else {
			names = append(names, name)
		}
	}
	assert.Equal(t, strings.Join(names, ", "), string(list[1]))
}

func TestServeSaysItsBuildAndAnswersEveryNumberWithATime(t *testing.T) {
	var out strings.Builder
	require.NoError(t, Serve("batches, 32k in cache", strings.NewReader("1\n3\n"), &out))
	lines := strings.Fields(out.String())
	require.Len(t, lines, 3)
	assert.Contains(t, []string{"checked", "unchecked"}, lines[0])
	for _, l := range lines[1:] {
		assert.Regexp(t, `^[1-9]\d*$`, l)
	}
}

func TestServeRefusesWhatItDoesNotKnow(t *testing.T) {
	assert.Error(t, Serve("nothing of the kind", strings.NewReader(""), &strings.Builder{}))
	assert.Error(t, Serve("batches, 32k in cache", strings.NewReader("many\n"), &strings.Builder{}))
}
