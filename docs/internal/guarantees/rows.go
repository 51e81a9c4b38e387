package guarantees

import "strings"

// Columns are those of the tables.
var Columns = []string{"type", "methods", "consistency", "progress", "false, zero", "cost", "allocates", "test"}

// Functions stands in the column of types for what is no type's.
const Functions = "func"

// cells returns those of a row of a table.
func cells(line string) []string {
	list := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|")
	for i, c := range list {
		list[i] = strings.TrimSpace(c)
	}
	return list
}

// Quoted returns the names in a cell, which stand in backquotes; or nil.
func Quoted(cell string) (names []string) {
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

// Row is one of a table of guarantees.
type Row struct {
	Package string   // that the page's section is about
	Line    string   // the row as it stands in the page
	Cells   []string // of the row; a right one has as many as there are Columns
}

// Rows returns the rows of the tables of guarantees that a page has.
func Rows(page string) (found []Row) {
	pkg, header := "", strings.Join(Columns, ", ")
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
			found = append(found, Row{pkg, line, list})
		}
	}
	return found
}
