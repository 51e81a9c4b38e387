// Package program is what the example programs have around what they show: flags come in, times and
// an exit status go out.
package program
