// Package phrase words what several packages say in the same way.
package phrase

import "strconv"

// Amount returns a number with its unit, as in: 1 part, 2 parts. of is the word for one.
func Amount(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return strconv.Itoa(n) + " " + of + "s"
}
