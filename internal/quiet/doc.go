// Package quiet has the hold that views of generic types embed, and kinds of such views that are
// compiled once. Each method of what a type embeds is compiled again for each instance of the type,
// in the packages that use it.
package quiet
