package atom

// Delay keeps the processor busy for about ns nanoseconds without accessing memory.
func Delay(ns int) {
	if !spent(ns) {
		//lint:ignore SA4017 the time that it takes is what it is for
		spin(ns)
	}
}

// spin has a meaningless result, so that the compiler keeps the loop.
//
//go:noinline
func spin(ns int) (x int) {
	for range ns {
		x = x*0x5851f42d + 1 // each multiplication waits for the previous one
	}
	return x
}
