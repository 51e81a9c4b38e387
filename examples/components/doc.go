// Components moves things that have components: their table has tags, and systems choose tables by
// tags and get the components of a batch of rows. The kind of job behind a system is the program's
// own. The program makes the same steps in plain loops, and fails unless every bit is equal.
package main
