package gates

import (
	"go/ast"
	"os/exec"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// plumbing are methods that drivers call of views and containers.
var plumbing = regexp.MustCompile(`\b(Bind|Claim|FillClaim|SetRange|Window|BeginSpan|BeginBatch|OpenPhase|SealPhase|ReturnPhase|Elsewhere|Of)\(`)

// The page of a container or view lists what its users call, and nothing that only drivers do.
func TestPagesOfContainersAndViewsListNoPlumbing(t *testing.T) {
	types := 0
	for _, pkg := range []string{"array", "counter", "queue", "hashmap", "table"} {
		out, err := exec.Command("go", "doc", "-all", "../../"+pkg).Output()
		require.NoError(t, err, pkg)
		page := string(out)
		for _, s := range sources(t, func(s *source) bool { return isPublic(s) && s.dir() == pkg }) {
			for _, typ := range typesIn(s.file) {
				require.Contains(t, page, "\ntype "+typ)
				types++
			}
		}
		for _, line := range regexp.MustCompile(`(?m)^func .*$`).FindAllString(page, -1) {
			require.NotRegexp(t, plumbing, line, "go doc -all %s", pkg)
		}
	}
	require.Greater(t, types, 50)
}

func TestPlumbingIsFound(t *testing.T) {
	out, err := exec.Command("go", "doc", "../../safety.Hold").Output()
	require.NoError(t, err)
	require.Regexp(t, `(?m)^func .*\bBind\(`, string(out))
	require.Regexp(t, plumbing, string(out))
}

// typesIn returns the exported types that a file declares.
func typesIn(file *ast.File) (names []string) {
	for _, d := range file.Decls {
		if d, ok := d.(*ast.GenDecl); ok {
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() {
					names = append(names, s.Name.Name)
				}
			}
		}
	}
	return names
}
