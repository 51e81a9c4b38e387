package main

// escape is one way to go round custody, and what is expected of it: what describe says of the violation that is
// reported, "race" for a report of the race detector, or nothing.
type escape struct {
	Name string // of the function that commits it
	What string // it is, for the table

	Unchecked, Checked, Strict, Race string

	Vet string // the analyzers that report the function
	run func()
}

// escapes is all of them.
var escapes = append([]escape{
	{
		Name: "ownerExcluded", run: ownerExcluded,
		What:    "a container that a body captured, through its own methods, which its job's claim excludes",
		Checked: `ErrInFlight: array.Array[int] "a" job loop other job loop`,
		Strict:  `ErrInFlight: array.Array[int] "a" job loop other job loop`,
		Race:    `ErrInFlight: array.Array[int] "a" job loop other job loop`,
		Vet:     "custodycapture",
	},
	{
		Name: "ownerAllowed", run: ownerAllowed,
		What:   "the same, which the claim does not exclude",
		Strict: `ErrOwnerInJob: array.Array[int] "a" job loop`,
		Race:   `ErrOwnerInJob: array.Array[int] "a" job loop`,
		Vet:    "custodycapture",
	},
	{
		Name: "ownerNotHeld", run: ownerNotHeld,
		What:   "the same, of a container that no job holds",
		Strict: `ErrOwnerInJob: array.Array[int] "a" job loop`,
		Race:   `ErrOwnerInJob: array.Array[int] "a" job loop`,
		Vet:    "custodycapture",
	},
	{
		Name: "plainVariable", run: plainVariable,
		What: "a plain variable that a body captured and its calls write",
		Race: "race",
		Vet:  "custodycapture",
	},
	{
		Name: "plainSlice", run: plainSlice,
		What: "an element of a captured slice",
		Race: "race",
		Vet:  "custodycapture",
	},
	{
		Name: "plainMap", run: plainMap,
		What: "a captured map",
		Race: "race",
		Vet:  "custodycapture",
	},
	{
		Name: "plainPointer", run: plainPointer,
		What: "what a captured pointer points to",
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
		What:   "the same, written in a batch above batch 0 alone",
		Strict: "ErrPlainField: job loop field Count",
		Race:   "ErrPlainField: job loop field Count",
		Vet:    "custodyplainfield",
	},
	{
		Name: "plainFieldOfACopy", run: plainFieldOfACopy,
		What: "a plain field of the job, written by a method with a value receiver: each call has a copy",
		Vet:  "custodyplainfield",
	},
	{
		Name: "recovered", run: recovered,
		What: "an access that a body recovers from: it has not taken place, and its panic is the body's",
	},
	{
		Name: "sliceOfAnother", run: sliceOfAnother,
		What: "the slice that an array has adopted, used by a batch of a job that holds the array",
		Race: "race",
	},
	{
		Name: "adoptedSlice", run: adoptedSlice,
		What: "the slice that an array has adopted, used by the owner while a job holds the array",
		Race: "race",
		Vet:  "custodyrawslice",
	},
	{
		Name: "ownSlice", run: ownSlice,
		What: "what `Slice` of an array returned, used while a job holds the array",
		Race: "race",
		Vet:  "custodyrawslice",
	},
	{
		Name: "windowKept", run: windowKept,
		What: "a window, from `Slice` of a view, kept after the batch",
		Race: "race",
		Vet:  "custodycapture",
	},
	{
		Name: "viewKeptSlice", run: viewKeptSlice,
		What:    "a copy of a view, kept after the job: its `Slice`",
		Checked: `ErrStaleView: array.Array[int] "a"`,
		Strict:  `ErrStaleView: array.Array[int] "a"`,
		Race:    `ErrStaleView: array.Array[int] "a"`,
		Vet:     "custodycapture, custodykept",
	},
	{
		Name: "viewKeptAccess", run: viewKeptAccess,
		What:   "a copy of a view, kept after the job: an element",
		Strict: `ErrStaleView: array.Array[int] "a"`,
		Race:   `ErrStaleView: array.Array[int] "a"`,
		Vet:    "custodycapture, custodykept",
	},
	{
		Name: "viewSent", run: viewSent,
		What:   "a copy of a view, sent to another goroutine and used there after the job",
		Strict: `ErrStaleView: array.Array[int] "a"`,
		Race:   `ErrStaleView: array.Array[int] "a"`,
		Vet:    "custodykept",
	},
	{
		Name: "goroutineSlice", run: goroutineSlice,
		What:   "a goroutine that outlives its batch: `Slice` of a view, in the next batch",
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
		What: "a goroutine beside the batch that started it: an element that both write",
		Race: "race",
		Vet:  "custodykept",
	},
	{
		Name: "laneOfTwo", run: laneOfTwo,
		What: "a goroutine beside the batch that started it: a `ParallelWriter` that both add to",
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
		What: "the same, in what `Slice` of the view returned",
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
		What:    "an owner's goroutine that nothing orders with the job, and that comes while the job runs",
		Checked: `ErrInFlight: array.Array[int] "a" other job loop other field In`,
		Strict:  `ErrInFlight: array.Array[int] "a" other job loop other field In`,
		Race:    `ErrInFlight: array.Array[int] "a" other job loop other field In`,
	},
	{
		Name: "unorderedOwner", run: unorderedOwner,
		What: "the same, which by chance comes before the job",
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
		What:    "a `Map` that a body captured, through its own methods, whose job adds to it",
		Checked: `ErrInFlight: hashmap.Map[int,int] "m" job loop other job loop`,
		Strict:  `ErrInFlight: hashmap.Map[int,int] "m" job loop other job loop`,
		Race:    `ErrInFlight: hashmap.Map[int,int] "m" job loop other job loop`,
		Vet:     "custodycapture",
	},
	{
		Name: "multiExcluded", run: multiExcluded,
		What:      "the same, of a `MultiMap`",
		Unchecked: "ErrInFlight: job loop",
		Checked:   `ErrInFlight: hashmap.MultiMap[int,int] "m" job loop other job loop`,
		Strict:    `ErrInFlight: hashmap.MultiMap[int,int] "m" job loop other job loop`,
		Race:      `ErrInFlight: hashmap.MultiMap[int,int] "m" job loop other job loop`,
		Vet:       "custodycapture",
	},
	{
		Name: "mapShared", run: mapShared,
		What:   "a `Map` that a body captured, through its own methods, whose job holds it by `Shared`",
		Strict: `ErrOwnerInJob: hashmap.Map[int,int] "m" job loop`,
		Race:   `ErrOwnerInJob: hashmap.Map[int,int] "m" job loop`,
		Vet:    "custodycapture",
	},
	{
		Name: "mapViewKept", run: mapViewKept,
		What:   "a copy of a view, kept after the job: a key of a `Map`",
		Strict: `ErrStaleView: hashmap.Map[int,int] "m"`,
		Race:   `ErrStaleView: hashmap.Map[int,int] "m"`,
		Vet:    "custodycapture, custodykept",
	},
	{
		Name: "mergedVariable", run: mergedVariable,
		What: "a plain variable that the function of a `ParallelMerger` writes",
		Race: "race",
	},
	{
		Name: "mergedInBodies", run: mergedInBodies,
		What: "the same, of one that is `Associative` and has little to merge",
	},
	{
		Name: "valuesWritten", run: valuesWritten,
		What: "what `Values` of a `MultiReader` returned, written by the body",
		Race: "race",
		Vet:  "custodyreadonly",
	},
	{
		Name: "valuesKept", run: valuesKept,
		What: "the same, kept after the job and read while another one writes the values",
		Race: "race",
		Vet:  "custodycapture",
	},
	{
		Name: "valuesChanged", run: valuesChanged,
		What: "the same, kept after the job and read by the owner, who has changed the values",
		Vet:  "custodycapture",
	},
	{
		Name: "valuesOfBatch", run: valuesOfBatch,
		What: "what `At` of a `MultiWriter` returned, kept after the batch and written by another one",
		Race: "race",
		Vet:  "custodycapture",
	},
	{
		Name: "valuesOfJob", run: valuesOfJob,
		What: "the same, kept after the job and written while another one reads the values",
		Race: "race",
		Vet:  "custodycapture",
	},
	{
		Name: "tableApplied", run: tableApplied,
		What:    "a `Table` that a body captured, by `Apply`, whose rows its loop runs over",
		Checked: `ErrInFlight: table.Table[int] "t" job loop other job loop`,
		Strict:  `ErrInFlight: table.Table[int] "t" job loop other job loop`,
		Race:    `ErrInFlight: table.Table[int] "t" job loop other job loop`,
		Vet:     "custodycapture",
	},
	{
		Name: "tableRow", run: tableRow,
		What:   "the same, by `RowOf`",
		Strict: `ErrOwnerInJob: table.Table[int] "t" job loop`,
		Race:   `ErrOwnerInJob: table.Table[int] "t" job loop`,
		Vet:    "custodycapture",
	},
	{
		Name: "tableStaged", run: tableStaged,
		What: "the same, by `Add`, which stages a row in no fixed order",
		Vet:  "custodycapture",
	},
	{
		Name: "lookupKept", run: lookupKept,
		What:   "a copy of a view, kept after the job: a `Lookup` of a table",
		Strict: `ErrStaleView: table.Table[int] "t"`,
		Race:   `ErrStaleView: table.Table[int] "t"`,
		Vet:    "custodycapture, custodykept",
	},
	{
		Name: "columnSlice", run: columnSlice,
		What: "what `Slice` of a `Column` returned, used while a job holds the column",
		Race: "race",
		Vet:  "custodyrawslice",
	},
	{
		Name: "columnMoved", run: columnMoved,
		What: "the same, used by the owner after an `Apply` that has moved rows",
	},
}, shared...)
