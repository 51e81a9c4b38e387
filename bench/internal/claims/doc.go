// Package claims runs what docs/migrating.md says of other libraries beside these libraries: each row
// of its tables that names a counterpart has a test here, and a row without one fails.
package claims
