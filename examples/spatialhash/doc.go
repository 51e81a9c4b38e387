// Spatialhash moves particles that push each other away. Each step groups the particles by the cell
// of space that they are in, finds their neighbours, and moves them: three jobs in a row. The
// program makes the same steps in plain loops and fails unless every bit is equal.
package main
