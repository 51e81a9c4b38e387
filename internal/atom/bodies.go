//go:build !custody_explore

package atom

// bodies calls every small method of the aliased types once. It is never run. The compiler exports
// the inlined body of a function to the importers of a package only if the package itself inlined
// the function. Without bodies an atomic operation in a container would be two calls instead of one
// instruction.
//
//lint:ignore U1000 it is there for the compiler
func bodies(b *Bool, i *Int32, j *Int64, u *Uint32, v *Uint64, m *Mutex, o *Once) {
	b.Store(b.Swap(b.Load()))
	b.CompareAndSwap(false, true)
	i.Store(i.Swap(i.Load()) + i.Add(1) + i.And(1) + i.Or(1))
	i.CompareAndSwap(0, 1)
	j.Store(j.Swap(j.Load()) + j.Add(1) + j.And(1) + j.Or(1))
	j.CompareAndSwap(0, 1)
	u.Store(u.Swap(u.Load()) + u.Add(1) + u.And(1) + u.Or(1))
	u.CompareAndSwap(0, 1)
	v.Store(v.Swap(v.Load()) + v.Add(1) + v.And(1) + v.Or(1))
	v.CompareAndSwap(0, 1)
	m.Lock()
	m.TryLock()
	m.Unlock()
	o.Do(nil)
}
