// Sessions keeps the sessions of users in a table.Table: its columns are slices, a table.Key finds
// a session by its user, and a loop stages the removal of those that have expired (table.Stager).
package main

import (
	"fmt"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/table"
)

type session struct {
	User string
	Idle int // minutes
	Hits int
}

// expire ages the sessions of a chunk by a minute and ends those that were idle for too long.
type expire struct {
	Idle   array.Writer[int]
	IDs    array.Reader[table.ID]
	Staged table.Stager[session]
	Limit  int
}

func (e *expire) Execute(i int) {
	idle := e.Idle.Ptr(i)
	if *idle++; *idle > e.Limit {
		e.Staged.Remove(e.IDs.At(i))
	}
}

func main() {
	sessions := table.New[session](table.Named("sessions"))
	users := table.KeyOf(sessions, func(s *session) *string { return &s.User })
	idle := table.ColumnOf(sessions, func(s *session) *int { return &s.Idle }, table.Named("idle"))
	hits := table.ColumnOf(sessions, func(s *session) *int { return &s.Hits }, table.Named("hits"))
	for i := range 1000 { // any goroutine may add, also while jobs run
		sessions.Add(session{User: fmt.Sprint("user ", i), Idle: i % 7})
	}
	sessions.Apply()

	for minute := range 4 {
		expiry := table.Schedule(sessions.Rows(), expire{
			Idle:   idle.Writer(),
			IDs:    sessions.IDs(),
			Staged: sessions.Stager(),
			Limit:  5,
		}, (*expire).Execute, parallelfor.Name("expire"))
		for i := range 5 { // meanwhile: new sessions, and a logout
			sessions.Add(session{User: fmt.Sprint("guest ", minute, i)})
		}
		users.Remove(fmt.Sprint("user ", 7*minute))
		expiry.Complete()

		report := sessions.Apply() // between jobs: rows move
		if row, ok := users.RowOf("user 70"); ok {
			idle.Set(row, 0)
			hits.Set(row, hits.At(row)+1)
		}
		fmt.Printf("minute %d: %d added, %d removed, %d left\n", minute, report.Added, report.Removed, sessions.Len())
	}
	row, _ := users.RowOf("user 70")
	fmt.Println("user 70 has", hits.At(row), "hits")
}
