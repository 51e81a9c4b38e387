// Router finds the cheapest ways over a grid, from one corner to ten goals: by a job for each goal,
// all of which read the grid together. The program searches one after the other too, and fails
// unless both find the same.
package main
