//go:build go1.28

package groups

// cockroach is nothing: cockroachdb/swiss must know the release of Go.
func cockroach[K mapKey, V mapValue]() []contender[K, V] { return nil }
