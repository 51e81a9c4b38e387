// Projectiles has guns fire at targets that drive about. A frame is three jobs over a table of
// shots: aim at where the targets are, fly, and group what has landed by target; meanwhile the
// frame before is drawn. The program makes the same frames in plain loops, and fails unless every
// bit is equal.
package main
