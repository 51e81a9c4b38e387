// Package compiled has a test of what a program pays for generic maps when it is compiled.
package compiled
