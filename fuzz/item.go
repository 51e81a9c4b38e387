package fuzz

import (
	"strconv"
)

// Item is an element of the containers under test. Elements are pointers, so that a suite can see which
// one came back, and whether the container lets it go.
type Item struct {
	// ID is a number that the suite gives the item. The container has no business with it.
	ID int

	_ *byte // a word that may be a pointer: without one the allocator could put two items into one block
}

// String returns the item's number with a # before it, and nil for nil.
func (x *Item) String() string {
	if x == nil {
		return "nil"
	}
	return "#" + strconv.Itoa(x.ID)
}

// minting makes items with rising numbers. It is part of a model: two runs of one program make the same.
type minting struct{ made int }

// item makes an item: now and then nil or one that is the zero value, which containers must not take
// for nothing.
func (m *minting) item(x int) *Item {
	switch x % 16 {
	case 14:
		return nil
	case 15:
		return new(Item)
	}
	m.made++
	return &Item{ID: m.made}
}

// items makes n items.
func (m *minting) items(n int) []*Item {
	xs := make([]*Item, n)
	for i := range xs {
		m.made++
		xs[i] = &Item{ID: m.made}
	}
	return xs
}
