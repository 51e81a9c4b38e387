package safety

import (
	"strconv"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/gls"
)

// This file gives each scope the number under which its worker runs, and finds a scope by its
// number.
//
// A block has 256 numbers. The low bits of a number are its place in the block. The bits above are
// the block's place in the table. The bits above those count the blocks of that place in which a
// number was retired. A block without a scope goes to the garbage collector, so a program that had
// many scopes at a time keeps no memory for them.

const (
	blockNumbers = 256
	tableBlocks  = 1 << 14
)

// scopes has all scopes that have numbers.
var scopes struct {
	mu    atom.HiddenMutex
	table [tableBlocks]atom.HiddenPointer[scopeBlock]
	roomy []*scopeBlock // the blocks that have free numbers
	used  uint32        // the number of places that have had a block: the first ones of the table
	empty []uint32      // for each of them without a block now, the first number of its next block
	most  int           // the greatest number of blocks at a time; tests lower it
}

func init() { scopes.most = tableBlocks }

// scopeBlock has the scopes of blockNumbers numbers, from first on.
type scopeBlock struct {
	first   uint32
	at      int // index in roomy
	free    [blockNumbers]uint8
	frees   int // free[:frees] are the free numbers, less first
	retired int // the number of retired numbers, which no scope gets while the block is there
	scopes  [blockNumbers]atom.HiddenPointer[Scope]
}

// number gives the scope a number that no other scope has. It panics if all numbers are taken.
//
//go:norace
func (l *Scope) number() {
	t := &scopes
	t.mu.Lock()
	if len(t.roomy) == 0 && !newScopeBlock() {
		t.mu.Unlock()
		panic(NewViolation(ErrArgument, "more than "+strconv.Itoa(t.most*blockNumbers)+" workers were to run jobs at one time", "Pass parallelfor.Workers less workers."))
	}
	b := t.roomy[len(t.roomy)-1]
	b.frees--
	i := uint32(b.free[b.frees])
	if b.frees == 0 {
		b.leaveRoomy()
	}
	l.slot = b.first + i
	b.scopes[i].Store(l)
	t.mu.Unlock()
}

// newScopeBlock makes a block with all its numbers free, and reports whether there was room for
// one. The lock is held.
//
//go:norace
func newScopeBlock() bool {
	t := &scopes
	first, k := t.used*blockNumbers, len(t.empty)-1
	switch {
	case int(t.used)-len(t.empty) >= t.most:
		return false
	case k >= 0:
		first = t.empty[k]
		t.empty = t.empty[:k]
	default:
		t.used++
	}
	b := &scopeBlock{first: first, frees: blockNumbers}
	for i := range b.free {
		b.free[i] = uint8(blockNumbers - 1 - i) // low numbers first: they take fewer frames (package gls)
	}
	b.enterRoomy()
	placeOfBlock(first).Store(b)
	return true
}

// placeOfBlock returns the place in the table of the block that has the number.
func placeOfBlock(number uint32) *atom.HiddenPointer[scopeBlock] {
	return &scopes.table[number/blockNumbers%tableBlocks]
}

// giveNumber takes the scope's number back, for other scopes or retired. A block without a scope
// leaves the table, unless it is the only one with free numbers.
//
//go:norace
func (l *Scope) giveNumber(retired bool) {
	t := &scopes
	t.mu.Lock()
	b := placeOfBlock(l.slot).Load()
	i := l.slot - b.first
	b.scopes[i].Store(nil)
	if retired {
		b.retired++
	} else {
		b.free[b.frees] = uint8(i)
		if b.frees++; b.frees == 1 {
			b.enterRoomy()
		}
	}
	if b.frees+b.retired == blockNumbers && (b.frees == 0 || len(t.roomy) > 1) {
		b.letGo()
	}
	t.mu.Unlock()
}

// letGo removes from the table a block that has no scope. If a number of it was retired, the next
// block in its place has higher numbers. After 512 such blocks they begin at the bottom again. The
// lock is held.
//
//go:norace
func (b *scopeBlock) letGo() {
	if b.frees > 0 {
		b.leaveRoomy()
	}
	placeOfBlock(b.first).Store(nil)
	if b.retired > 0 {
		b.first = (b.first + blockNumbers*tableBlocks) % gls.Others
	}
	scopes.empty = append(scopes.empty, b.first)
}

// enterRoomy adds the block to those that have free numbers. The lock is held.
//
//go:norace
func (b *scopeBlock) enterRoomy() {
	b.at = len(scopes.roomy)
	scopes.roomy = append(scopes.roomy, b)
}

// leaveRoomy removes the block from those that have free numbers. The lock is held.
//
//go:norace
func (b *scopeBlock) leaveRoomy() {
	t := &scopes
	k := len(t.roomy) - 1
	t.roomy[b.at] = t.roomy[k]
	t.roomy[b.at].at = b.at
	t.roomy[k] = nil
	t.roomy = t.roomy[:k]
}

// numbered returns the scope that has the number, or nil.
//
//go:norace
func numbered(n uint32) *Scope {
	b := placeOfBlock(n).Load()
	if b != nil {
		if i := n - b.first; i < blockNumbers {
			return b.scopes[i].Load()
		}
	}
	return nil // the place has no block now, or another one
}
