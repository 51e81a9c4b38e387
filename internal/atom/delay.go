package atom

// Delay keeps the processor for about so many nanoseconds and leaves memory alone meanwhile.
func Delay(ns int) {
	//lint:ignore SA4017 the time that it takes is what it is for
	spin(ns)
}

// spin has a result, which means nothing, so that the work for it is not left out.
//
//go:noinline
func spin(ns int) (x int) {
	for range ns {
		x = x*0x5851f42d + 1 // each waits for the one before
	}
	return x
}
