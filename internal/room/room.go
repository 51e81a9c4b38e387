// Package room is how package table has lists make room for so many elements and no more: its options promise that, and programs need not ask for it.
package room

// Exactly makes room for n elements in all in a *array.List, unless it has as much. Those that it has are copied there, or all become zero if they
// are not to be kept. Package array sets it.
var Exactly func(list any, n int, keep bool)
