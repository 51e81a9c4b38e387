// Package lawtest has functions that the tests of this module share: the number of repetitions and
// the seed of random tests, the line that replays a failure, and assertions about violations.
//
// Two environment variables control random tests:
//
//	CUSTODY_SEED=n   replays the random numbers of a failed test
//	CUSTODY_SOAK=k   repeats everything k times as often
package lawtest
