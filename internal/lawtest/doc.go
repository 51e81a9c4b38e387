// Package lawtest has what the tests of this module share: how often a random test repeats, where its
// randomness comes from and how a failure is replayed, and how a broken rule is asserted.
//
// Two variables of the environment steer random tests:
//
//	CUSTODY_SEED=n   replays the randomness that a failed test printed
//	CUSTODY_SOAK=k   repeats everything k times as often
package lawtest
