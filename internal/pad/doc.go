// Package pad keeps words that different workers write on different cache lines.
//
// A value is kept apart from its neighbours by putting a whole line, [Bytes], behind it (and in front
// of it when something else comes before): the next value then starts at least a line further on,
// wherever the allocator puts the block and whatever the size of the value. So there is no
// arithmetic with sizes, which breaks when the value's type changes with a build tag.
package pad
