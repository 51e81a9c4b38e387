// Package stack is a container of one's own: a bounded stack with the standing of a built-in
// container, made of what the library exports and of nothing else. docs/custom-container.md tells
// how it came to be.
package stack
