// Package phrase puts into words what several packages say alike.
package phrase

import "strconv"

// Amount says how many of something there are, as in: 1 part, 2 parts. of is the word for one.
func Amount(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return strconv.Itoa(n) + " " + of + "s"
}
