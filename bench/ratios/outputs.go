package main

import (
	"bytes"
	"errors"
	"os"
	"path"
	"path/filepath"

	"example.com/custody/bench/internal/plots"
	"example.com/custody/bench/internal/report"
)

// outputs is where the rows go; "" is nowhere.
type outputs struct {
	json  string // a file
	pages string // the directory of the pages, which has BENCHMARKS.md in the repository

	file *os.File // of json
}

// What is made of the rows, in the directory of the pages.
const (
	markdown = "BENCHMARKS.md"
	results  = "bench/results.tsv"
	charts   = "bench/plots"
	pictures = "docs/pictures" // of documents
)

// begin writes what comes before the rows. Of a run that is cut short the groups before are there.
func (o *outputs) begin(run *report.Run) (err error) {
	switch o.json {
	case "":
		return nil
	case "-":
		o.file = os.Stdout
	default:
		if err := os.MkdirAll(filepath.Dir(o.json), 0o777); err != nil {
			return err
		}
		if o.file, err = os.Create(o.json); err != nil {
			return err
		}
	}
	return report.Start(o.file, run)
}

// group writes the rows of a group.
func (o *outputs) group(rows []report.Row) error {
	var failed error
	if o.file != nil {
		failed = report.JSON(o.file, rows)
	}
	if o.file != os.Stdout {
		return errors.Join(failed, report.Table(os.Stdout, rows))
	}
	return failed
}

// end closes what begin opened.
func (o *outputs) end() error {
	if o.file == nil || o.file == os.Stdout {
		return nil
	}
	return o.file.Close()
}

// write makes the charts, the table and the page of all rows.
func (o *outputs) write(run *report.Run, rows []report.Row) error {
	if o.pages == "" {
		return nil
	}
	page := report.Page{Run: run, Rows: rows, Results: results}
	for _, c := range plots.Charts(rows) {
		at := path.Join(charts, c.Name+".svg")
		if c.Name == plots.BreakEven {
			at = path.Join(pictures, c.Name+".svg")
		}
		if err := plots.Write(filepath.Join(o.pages, at), c.Picture); err != nil {
			return err
		}
		page.Plots = append(page.Plots, report.Plot{Alt: c.Alt, Link: at})
	}
	var table, text bytes.Buffer
	if err := report.WriteTSV(&table, rows); err != nil {
		return err
	}
	if _, err := page.WriteTo(&text); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(o.pages, path.Dir(results)), 0o777); err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(o.pages, results), table.Bytes(), 0o666),
		os.WriteFile(filepath.Join(o.pages, markdown), text.Bytes(), 0o666))
}
