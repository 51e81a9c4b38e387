package docs_test

import "strings"

// cells returns those of a row of a table.
func cells(line string) []string {
	list := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|")
	for i, c := range list {
		list[i] = strings.TrimSpace(c)
	}
	return list
}

// quoted returns the names in a cell, which stand in backquotes; or nil.
func quoted(cell string) (names []string) {
	for name := range strings.SplitSeq(cell, ", ") {
		inner, ok := strings.CutPrefix(name, "`")
		if inner, ok2 := strings.CutSuffix(inner, "`"); ok && ok2 && inner != "" {
			names = append(names, inner)
			continue
		}
		return nil
	}
	return names
}

// row is one of a table of guarantees.
type row struct {
	pkg, line string
	cells     []string
}

// rowsOf returns the rows of the tables of guarantees that a page has.
func rowsOf(page string) (found []row) {
	pkg, header := "", strings.Join(guarantees, ", ")
	in := false // a table of guarantees
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "## "); ok {
			pkg = name
		}
		list := cells(line)
		switch {
		case !strings.HasPrefix(line, "|"):
			in = false
		case strings.Join(list, ", ") == header:
			in = true
		case in && !strings.HasPrefix(line, "|--"):
			found = append(found, row{pkg, line, list})
		}
	}
	return found
}
