// Package pad keeps words that different workers write on different cache lines.
//
// A whole line, [Bytes], after a value keeps the value apart from its neighbors, and so does one
// before it if another field precedes. The next value then starts at least a line further on,
// wherever the allocator puts the block and whatever the size of the value. There is no arithmetic
// with sizes, which would break when a build tag changes the type of the value.
package pad
