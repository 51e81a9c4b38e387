// Package report holds the rows of a comparison, and prints them: as a table, as JSON, and as a
// page in Markdown.
package report
