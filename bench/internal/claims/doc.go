// Package claims tests what docs/migrating.md claims about other libraries, by running these
// libraries and custody side by side. Each row of its tables that names a counterpart has a test
// here, and a row without a test is a failure.
package claims
