// Package ecs keeps the components of entities in columns, and runs jobs over up to four of them at a time. It is made of what
// the library exports, and of nothing else: its containers stand on package safety, its kind of job on package parallelfor.
//
// An entity has a set of parts: components, which are values in a [Column] each, and tags, which are nothing but there or not. Entities
// with the same parts are of one archetype. They lie in chunks of a fixed capacity: row r of each column of a chunk is the same entity's.
//
//	w := ecs.NewWorld(1024)
//	positions, velocities := ecs.NewColumn[Position](w), ecs.NewColumn[Velocity](w)
//	frozen := w.NewTag()
//	w.Add(1000, positions, velocities)
//
//	func (m *move) Execute(p *Position, v *Velocity) { ... }
//
//	moving := ecs.New2(w, (*move).Execute, positions.ReadWrite(), velocities.ReadOnly(), ecs.Exclude(frozen))
//	moving.Run(move{Step: 0.1})
//
// A [System] is a job's query, cached: which chunks have the parts that the job needs and none of those that it excludes. Its loop is
// over the entities of all these chunks; or, when a column is said to be [View.Changed], over the chunks themselves, and those in which no
// such column has changed since the system's last run are skipped.
//
// # Invariants
//
//	(I1) While a job of a system is not complete, it holds the world to read: no chunk, entity or query changes.
//	(I2) Row r of all columns of a chunk is one entity, and all rows but those of the last chunk of an archetype are full.
//	(I3) The indices of a loop are the entities of the query's chunks, chunk after chunk, or the chunks: so different batches
//	     have different rows.
//	(I4) A chunk of a column that was handed out to be written has the version of the job that has it.
//
// Map: world.go World, entities and tags; column.go Column; view.go what a job may do with one; query.go which chunks a loop is over,
// and the pieces of them that a range of its indices is; system.go System; process.go, process34.go the loops, by number of
// columns; version.go versions.
package ecs
