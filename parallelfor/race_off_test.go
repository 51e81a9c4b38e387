//go:build !race

package parallelfor_test

const raceFactor = 0
