package claims

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// claims are the tests of each table: by the title of the table's first column, and then by the
// cells of the row that name other libraries.
var claims = map[string]map[string]func(t *testing.T){
	"you have":           goroutineClaims,
	"sync.Map, xsync v4": mapClaims,
	"channel":            channelClaims,
	"conc":               poolClaims,
}

// rows returns the rows of the page's tables that name a counterpart, by the title of the first
// column.
func rows(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/migrating.md")
	require.NoError(t, err)
	found := map[string][]string{}
	title, here := "", 0
	for line := range strings.Lines(string(text)) {
		line, ok := strings.CutPrefix(strings.TrimSpace(line), "| ")
		if !ok {
			if !strings.HasPrefix(line, "|---") {
				title = ""
			}
			continue
		}
		cells := strings.Split(strings.TrimSuffix(line, "|"), " | ")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if title == "" {
			title, here = cells[0], len(cells)-2
			continue
		}
		switch row := strings.Join(cells[:here], " | "); {
		case cells[here] == "-":
		case claims[title][row] == nil: // each name has a test of its own
			found[title] = append(found[title], strings.Split(row, ", ")...)
		default:
			found[title] = append(found[title], row)
		}
	}
	return found
}

func TestEveryRowHasAClaim(t *testing.T) {
	found := rows(t)
	for title, tests := range claims {
		require.NotEmpty(t, found[title], title)
		seen := map[string]bool{}
		for _, row := range found[title] {
			seen[row] = true
			require.NotNil(t, tests[row], "the row %q of the table %q has no test", row, title)
		}
		for row := range tests {
			require.True(t, seen[row], "the table %q has no row %q", title, row)
		}
	}
}

func TestClaims(t *testing.T) {
	for title, tests := range claims {
		t.Run(title, func(t *testing.T) {
			for row, test := range tests {
				t.Run(row, test)
			}
		})
	}
}
