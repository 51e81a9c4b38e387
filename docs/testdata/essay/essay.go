// Package essay is a directory for the code of essays: a test puts their files in its place, where
// they may import what is internal to the module.
package essay
