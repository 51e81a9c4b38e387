package main

// escape is one misuse, and the report that is expected at each level: the text of describe for a
// violation, "race" for a report of the race detector, or nothing.
type escape struct {
	Name string // of the function that commits it
	What string // the misuse, for the table

	Unchecked, Checked, Strict, Race string

	Vet string // the analyzers that report the function
	run func()
}

// escapes is all of them.
var escapes = append([]escape{
	{
		Name: "ownerExcluded", run: ownerExcluded,
		What:    "a captured array, map or table, by a method that the job's claim excludes",
		Checked: `ErrInFlight: array.Array[int] "a" job loop other job loop`,
		Strict:  `ErrInFlight: array.Array[int] "a" job loop other job loop`,
		Race:    `ErrInFlight: array.Array[int] "a" job loop other job loop`,
		Vet:     "custodycapture",
	},
	{
		Name: "ownerAllowed", run: ownerAllowed,
		What:   "a captured array, map or table, by a method that the job's claim allows",
		Strict: `ErrOwnerInJob: array.Array[int] "a" job loop`,
		Race:   `ErrOwnerInJob: array.Array[int] "a" job loop`,
		Vet:    "custodycapture",
	},
	{
		Name: "ownerNotHeld", run: ownerNotHeld,
		What:   "a captured container that no job holds",
		Strict: `ErrOwnerInJob: array.Array[int] "a" job loop`,
		Race:   `ErrOwnerInJob: array.Array[int] "a" job loop`,
		Vet:    "custodycapture",
	},
	{
		Name: "plainVariable", run: plainVariable,
		What: "what a body captured, written by several batches: a variable, an element, a map, a pointer's target",
		Race: "race",
		Vet:  "custodycapture",
	},
	{
		Name: "plainSlice", run: plainSlice,
		What: "what a body captured, written by several batches: a variable, an element, a map, a pointer's target",
		Race: "race",
		Vet:  "custodycapture",
	},
	{
		Name: "plainMap", run: plainMap,
		What: "what a body captured, written by several batches: a variable, an element, a map, a pointer's target",
		Race: "race",
		Vet:  "custodycapture",
	},
	{
		Name: "plainPointer", run: plainPointer,
		What: "what a body captured, written by several batches: a variable, an element, a map, a pointer's target",
		Race: "race",
		Vet:  "custodycapture",
	},
	{
		Name: "unguardedField", run: unguardedField,
		What: "what a field tagged `custody:\"unguarded\"` refers to",
		Race: "race",
	},
	{
		Name: "plainField", run: plainField,
		What:    "a plain field of the job, written by its body",
		Checked: "ErrPlainField: job loop field Count", Strict: "ErrPlainField: job loop field Count",
		Race: "ErrPlainField: job loop field Count",
		Vet:  "custodyplainfield",
	},
	{
		Name: "plainFieldLate", run: plainFieldLate,
		What:   "a plain field of the job, not written in batch 0",
		Strict: "ErrPlainField: job loop field Count",
		Race:   "ErrPlainField: job loop field Count",
		Vet:    "custodyplainfield",
	},
	{
		Name: "plainFieldOfACopy", run: plainFieldOfACopy,
		What: "a plain field of the job, written by a method with a value receiver",
		Vet:  "custodyplainfield",
	},
	{
		Name: "recovered", run: recovered,
		What: "an access whose panic the body recovers from: the access has not taken place",
	},
	{
		Name: "sliceOfAnother", run: sliceOfAnother,
		What: "a slice that an array has adopted, used by a body of a job that holds the array",
		Race: "race",
	},
	{
		Name: "adoptedSlice", run: adoptedSlice,
		What: "a slice that an array has adopted, or the `Slice` of an array or column, used by the owner while a job holds it",
		Race: "race",
		Vet:  "custodyrawslice",
	},
	{
		Name: "ownSlice", run: ownSlice,
		What: "a slice that an array has adopted, or the `Slice` of an array or column, used by the owner while a job holds it",
		Race: "race",
		Vet:  "custodyrawslice",
	},
	{
		Name: "windowKept", run: windowKept,
		What: "a slice that a view returned, kept after the batch or the job",
		Race: "race",
		Vet:  "custodycapture",
	},
	{
		Name: "viewPassedOn", run: viewPassedOn,
		What:   "a view that the body passed on, used before the nested job ended",
		Strict: `ErrInFlight: array.List[int] "a" job loop other job inner`,
		Race:   `ErrInFlight: array.List[int] "a" job loop other job inner`,
	},
	{
		Name: "viewKeptSlice", run: viewKeptSlice,
		What:    "a view kept after the job: its `Slice`",
		Checked: `ErrStaleView: array.Array[int] "a"`,
		Strict:  `ErrStaleView: array.Array[int] "a"`,
		Race:    `ErrStaleView: array.Array[int] "a"`,
		Vet:     "custodycapture, custodykept",
	},
	{
		Name: "viewKeptAccess", run: viewKeptAccess,
		What:   "a view kept after the job: an element, a key, a name",
		Strict: `ErrStaleView: array.Array[int] "a"`,
		Race:   `ErrStaleView: array.Array[int] "a"`,
		Vet:    "custodycapture, custodykept",
	},
	{
		Name: "viewSent", run: viewSent,
		What:   "a view sent to another goroutine, used after the job",
		Strict: `ErrStaleView: array.Array[int] "a"`,
		Race:   `ErrStaleView: array.Array[int] "a"`,
		Vet:    "custodykept",
	},
	{
		Name: "goroutineSlice", run: goroutineSlice,
		What:   "a goroutine that outlives its batch: `Slice` of the view, in the next batch",
		Strict: `ErrStaleView: array.Array[int] "a"`,
		Race:   `ErrStaleView: array.Array[int] "a"`,
		Vet:    "custodykept",
	},
	{
		Name: "goroutineAccess", run: goroutineAccess,
		What:      "a goroutine that outlives its batch: an element of the old batch, in the next",
		Unchecked: `ErrWriteRange: array.Array[int] "a" job loop index 0`,
		Checked:   `ErrWriteRange: array.Array[int] "a" job loop index 0`,
		Strict:    `ErrStaleView: array.Array[int] "a"`,
		Race:      `ErrStaleView: array.Array[int] "a"`,
		Vet:       "custodykept",
	},
	{
		Name: "goroutineOutlivesJob", run: goroutineOutlivesJob,
		What:      "a goroutine that outlives its job: a view",
		Unchecked: "ErrStaleView:",
		Checked:   "ErrStaleView:",
		Strict:    `ErrStaleView: array.Array[int] "a"`,
		Race:      `ErrStaleView: array.Array[int] "a"`,
		Vet:       "custodykept",
	},
	{
		Name: "goroutineBesideBatch", run: goroutineBesideBatch,
		What: "a goroutine beside the batch that started it: an element or a `ParallelWriter` that both use",
		Race: "race",
		Vet:  "custodykept",
	},
	{
		Name: "laneOfTwo", run: laneOfTwo,
		What: "a goroutine beside the batch that started it: an element or a `ParallelWriter` that both use",
		Race: "race",
		Vet:  "custodykept",
	},
	{
		Name: "unrestrictedOverlap", run: unrestrictedOverlap,
		What:   "an element that two batches use through an `Unrestricted` view",
		Strict: `ErrOverlap: array.Array[int] "a" job loop index 0`,
		Race:   "race",
	},
	{
		Name: "unrestrictedWindow", run: unrestrictedWindow,
		What: "an element that two batches use in the `Slice` of an `Unrestricted` view",
		Race: "race",
	},
	{
		Name: "permutedTwice", run: permutedTwice,
		What:    "an element that two batches write through a `Permuted` view",
		Checked: `ErrTwice: array.Array[int] "a" job loop index 0`,
		Strict:  `ErrTwice: array.Array[int] "a" job loop index 0`,
		Race:    `ErrTwice: array.Array[int] "a" job loop index 0`,
	},
	{
		Name: "unorderedOwnerInPhase", run: unorderedOwnerInPhase,
		What:    "a use by the owner that nothing orders with the job, while the job runs",
		Checked: `ErrInFlight: array.Array[int] "a" other job loop other field In`,
		Strict:  `ErrInFlight: array.Array[int] "a" other job loop other field In`,
		Race:    `ErrInFlight: array.Array[int] "a" other job loop other field In`,
	},
	{
		Name: "unorderedOwner", run: unorderedOwner,
		What: "a use by the owner that nothing orders with the job, by chance before it",
		Race: "race",
	},
	{
		Name: "partAfterJoin", run: partAfterJoin,
		What:    "a part of an array, after its parts were joined",
		Checked: `ErrDisposed: array.Array[int] "a[0:2]"`,
		Strict:  `ErrDisposed: array.Array[int] "a[0:2]"`,
		Race:    `ErrDisposed: array.Array[int] "a[0:2]"`,
	},
	{
		Name: "mapExcluded", run: mapExcluded,
		What:    "a captured array, map or table, by a method that the job's claim excludes",
		Checked: `ErrInFlight: hashmap.Map[int,int] "m" job loop other job loop`,
		Strict:  `ErrInFlight: hashmap.Map[int,int] "m" job loop other job loop`,
		Race:    `ErrInFlight: hashmap.Map[int,int] "m" job loop other job loop`,
		Vet:     "custodycapture",
	},
	{
		Name: "multiExcluded", run: multiExcluded,
		What:      "a captured multimap that the job adds to",
		Unchecked: "ErrInFlight: job loop",
		Checked:   `ErrInFlight: hashmap.MultiMap[int,int] "m" job loop other job loop`,
		Strict:    `ErrInFlight: hashmap.MultiMap[int,int] "m" job loop other job loop`,
		Race:      `ErrInFlight: hashmap.MultiMap[int,int] "m" job loop other job loop`,
		Vet:       "custodycapture",
	},
	{
		Name: "mapShared", run: mapShared,
		What:   "a captured array, map or table, by a method that the job's claim allows",
		Strict: `ErrOwnerInJob: hashmap.Map[int,int] "m" job loop`,
		Race:   `ErrOwnerInJob: hashmap.Map[int,int] "m" job loop`,
		Vet:    "custodycapture",
	},
	{
		Name: "mapViewKept", run: mapViewKept,
		What:   "a view kept after the job: an element, a key, a name",
		Strict: `ErrStaleView: hashmap.Map[int,int] "m"`,
		Race:   `ErrStaleView: hashmap.Map[int,int] "m"`,
		Vet:    "custodycapture, custodykept",
	},
	{
		Name: "mergedVariable", run: mergedVariable,
		What: "a variable that the function of a `ParallelMerger` writes",
		Race: "race",
	},
	{
		Name: "mergedInBodies", run: mergedInBodies,
		What: "a variable that the function of an `Associative` merger writes, when there is little to merge",
	},
	{
		Name: "valuesWritten", run: valuesWritten,
		What: "a slice that a reader returned, written by the body",
		Race: "race",
		Vet:  "custodyreadonly",
	},
	{
		Name: "valuesKept", run: valuesKept,
		What: "a slice that a view returned, kept after the batch or the job",
		Race: "race",
		Vet:  "custodycapture",
	},
	{
		Name: "valuesChanged", run: valuesChanged,
		What: "`Values` of a `MultiReader`, kept and read by the owner after the owner changed them",
		Vet:  "custodycapture",
	},
	{
		Name: "bufferWritten", run: bufferWritten,
		What: "a slice of `AvailableBuffer`, written after it was appended",
	},
	{
		Name: "valuesOfBatch", run: valuesOfBatch,
		What: "a slice that a view returned, kept after the batch or the job",
		Race: "race",
		Vet:  "custodycapture",
	},
	{
		Name: "valuesOfJob", run: valuesOfJob,
		What: "a slice that a view returned, kept after the batch or the job",
		Race: "race",
		Vet:  "custodycapture",
	},
	{
		Name: "tableApplied", run: tableApplied,
		What:    "a captured array, map or table, by a method that the job's claim excludes",
		Checked: `ErrInFlight: table.Table[int] "t" job loop other job loop`,
		Strict:  `ErrInFlight: table.Table[int] "t" job loop other job loop`,
		Race:    `ErrInFlight: table.Table[int] "t" job loop other job loop`,
		Vet:     "custodycapture",
	},
	{
		Name: "tableRow", run: tableRow,
		What:   "a captured array, map or table, by a method that the job's claim allows",
		Strict: `ErrOwnerInJob: table.Table[int] "t" job loop`,
		Race:   `ErrOwnerInJob: table.Table[int] "t" job loop`,
		Vet:    "custodycapture",
	},
	{
		Name: "tableStaged", run: tableStaged,
		What: "a captured table, by `Add`: the rows have no fixed order",
		Vet:  "custodycapture",
	},
	{
		Name: "lookupKept", run: lookupKept,
		What:   "a view kept after the job: an element, a key, a name",
		Strict: `ErrStaleView: table.Table[int] "t"`,
		Race:   `ErrStaleView: table.Table[int] "t"`,
		Vet:    "custodycapture, custodykept",
	},
	{
		Name: "columnSlice", run: columnSlice,
		What: "a slice that an array has adopted, or the `Slice` of an array or column, used by the owner while a job holds it",
		Race: "race",
		Vet:  "custodyrawslice",
	},
	{
		Name: "columnMoved", run: columnMoved,
		What: "the `Slice` of a column, used by the owner after an `Apply` that moved rows",
	},
}, shared...)
