// Command ratios compares the library with the fastest programs in plain Go and with other libraries, and
// prints for each comparison a ratio measured in this run and the bar that it should not exceed. It writes the
// rows as JSON, as charts and as a page in Markdown too, and makes those from the JSON of another run.
//
//	go -C bench run ./ratios [-only GROUP] [-peers] [-full] [-reps N] [-fail] [-json FILE] [-plots DIR] [-markdown FILE] [-note TEXT]
//	go -C bench run ./ratios -from FILE [-plots DIR] [-markdown FILE]
package main
