package safety

import (
	"strconv"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/gls"
)

// This file is how leases get the numbers under which their workers run, and are found by them.
//
// A number is the place of its block in the table, and its place in the block; what is above these is how often the place of the block was
// given away again. A block whose numbers nobody has is given to the garbage collector, so that many leases at one time cost later ones nothing.

const (
	blockNumbers = 256
	tableBlocks  = 1 << 14
)

// leases are all that have numbers.
var leases struct {
	mu    atom.HiddenMutex
	table [tableBlocks]atom.HiddenPointer[leaseBlock]
	roomy []*leaseBlock // that have numbers to give away
	used  uint32        // how many places of the table have had a block
	empty []uint32      // the first numbers of blocks for the places that have none any more
	most  int           // how many blocks there may be; tests make it less
}

func init() { leases.most = tableBlocks }

// leaseBlock are the leases of blockNumbers numbers from first on.
type leaseBlock struct {
	first   uint32
	at      int // its place among roomy
	free    [blockNumbers]uint8
	frees   int // how many of these are numbers, less first, that nobody has
	retired int // how many numbers nobody is to have any more
	leases  [blockNumbers]atom.HiddenPointer[Lease]
}

// number gives the lease a number of its own.
//
//go:norace
func (l *Lease) number() {
	t := &leases
	t.mu.Lock()
	if len(t.roomy) == 0 && !newLeaseBlock() {
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
	b.leases[i].Store(l)
	t.mu.Unlock()
}

// newLeaseBlock makes a block, if there is room for one. The lock is held.
//
//go:norace
func newLeaseBlock() bool {
	t := &leases
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
	b := &leaseBlock{first: first, frees: blockNumbers}
	for i := range b.free {
		b.free[i] = uint8(blockNumbers - 1 - i) // short numbers first: see package gls
	}
	b.enterRoomy()
	placeOfBlock(first).Store(b)
	return true
}

func placeOfBlock(number uint32) *atom.HiddenPointer[leaseBlock] {
	return &leases.table[number/blockNumbers%tableBlocks]
}

// giveNumber takes the lease's number back. It is not to be given away again if it is retired.
//
//go:norace
func (l *Lease) giveNumber(retired bool) {
	t := &leases
	t.mu.Lock()
	b := placeOfBlock(l.slot).Load()
	i := l.slot - b.first
	b.leases[i].Store(nil)
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

// letGo gives a block up that has no lease. If a number of it was retired the next block there has others. The lock is held.
//
//go:norace
func (b *leaseBlock) letGo() {
	if b.frees > 0 {
		b.leaveRoomy()
	}
	placeOfBlock(b.first).Store(nil)
	if b.retired > 0 {
		b.first = (b.first + blockNumbers*tableBlocks) % gls.Others
	}
	leases.empty = append(leases.empty, b.first)
}

// enterRoomy puts the block among those that have numbers to give away, and leaveRoomy takes it out. The lock is held.
//
//go:norace
func (b *leaseBlock) enterRoomy() {
	b.at = len(leases.roomy)
	leases.roomy = append(leases.roomy, b)
}

//go:norace
func (b *leaseBlock) leaveRoomy() {
	t := &leases
	k := len(t.roomy) - 1
	t.roomy[b.at] = t.roomy[k]
	t.roomy[b.at].at = b.at
	t.roomy[k] = nil
	t.roomy = t.roomy[:k]
}

// numbered returns the lease of that number, or nil.
//
//go:norace
func numbered(n uint32) *Lease {
	b := placeOfBlock(n).Load()
	if b != nil {
		if i := n - b.first; i < blockNumbers {
			return b.leases[i].Load()
		}
	}
	return nil // no block has the place now, or another one
}
