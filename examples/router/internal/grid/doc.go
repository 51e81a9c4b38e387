// Package grid is what routes lead over: cells with costs, a start and goals, all drawn from a seed.
package grid
