// Package stripe tells goroutines apart, so that goroutines that update one thing at the same time
// can update different cells of it.
//
// Go gives no number to a goroutine or to the processor it runs on. But every goroutine has a stack
// of its own, at least 2 KiB apart from all others, so the address of a local variable is a hint
// that costs one instruction. It is only a hint: it changes when the stack moves or grows, and two
// goroutines may get the same cell. Code that uses a hint must be correct for any value of it.
package stripe
