// Package word tells containers what they must know of the types that they hold, and puts small
// values into words.
//
// Map: holds.go what keeps memory alive; word.go which values are words.
package word
