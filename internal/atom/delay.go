package atom

// Delay keeps the processor for about so many nanoseconds and leaves memory alone meanwhile. The result means nothing;
// there is one so that the work for it is not left out.
//
//go:noinline
func Delay(ns int) (x int) {
	for range ns {
		x = x*0x5851f42d + 1 // each waits for the one before
	}
	return x
}
