// Package brokenfs has a file system for tests, of which not everything can be read.
package brokenfs
