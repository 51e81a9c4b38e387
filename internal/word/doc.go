// Package word tells containers what they must know of the types of their elements, and stores
// small values in words.
//
// Map: holds.go has the types that keep memory alive; word.go has the types whose values are words;
// order.go has the types whose values have an order.
package word
