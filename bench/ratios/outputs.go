package main

import (
	"errors"
	"os"
	"path/filepath"

	"example.com/custody/bench/internal/groups"
	"example.com/custody/bench/internal/plots"
	"example.com/custody/bench/internal/report"
)

// outputs is where the rows go; "" is nowhere.
type outputs struct {
	json, plots, markdown string

	file *os.File // of json
}

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

// pages makes the charts and the page of all rows.
func (o *outputs) pages(run *report.Run, rows []report.Row) error {
	page := report.Page{Run: run, Rows: rows, About: map[string]string{}, Plots: map[string]string{}}
	for _, g := range groups.All {
		page.About[g.Name] = g.About
	}
	if o.plots != "" {
		names, err := plots.Draw(o.plots, rows)
		if err != nil {
			return err
		}
		for group, name := range names {
			if page.Plots[group], err = link(o.markdown, filepath.Join(o.plots, name)); err != nil {
				return err
			}
		}
	}
	if o.markdown == "" {
		return nil
	}
	file, err := os.Create(o.markdown)
	if err != nil {
		return err
	}
	_, err = page.WriteTo(file)
	return errors.Join(err, file.Close())
}

// link returns how a page names another file.
func link(page, file string) (string, error) {
	from, err := filepath.Abs(filepath.Dir(page))
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	to, err = filepath.Rel(from, to)
	return filepath.ToSlash(to), err
}
