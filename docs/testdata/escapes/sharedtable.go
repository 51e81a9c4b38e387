package main

// shared are the escapes of shared.go.
var shared = []escape{
	{
		Name: "readerWritten", run: readerWritten,
		What: "a slice that a reader returned, written by the body",
		Race: `race`,
		Vet:  "custodyreadonly",
	},
	{
		Name: "listReaderWritten", run: listReaderWritten,
		What: "a slice that a reader returned, written by the body",
		Race: `race`,
		Vet:  "custodyreadonly",
	},
	{
		Name: "doubleReaderWritten", run: doubleReaderWritten,
		What: "a slice that a reader returned, written by the body",
		Race: `race`,
		Vet:  "custodyreadonly",
	},
	{
		Name: "columnReaderWritten", run: columnReaderWritten,
		What: "a slice that a reader returned, written by the body",
		Race: `race`,
		Vet:  "custodyreadonly",
	},
	{
		Name: "streamReaderWritten", run: streamReaderWritten,
		What: "a slice that a reader returned, written by the body",
		Race: `race`,
		Vet:  "custodyreadonly",
	},
	{
		Name: "queueReaderWritten", run: queueReaderWritten,
		What: "a slice that a reader returned, written by the body",
		Race: `race`,
		Vet:  "custodyreadonly",
	},
	seenByRace("pointerInElements", pointerInElements,
		"memory that two elements refer to, written by the batches that own the elements"),
	seenByRace("sliceInElements", sliceInElements,
		"memory that two elements refer to, written by the batches that own the elements"),
	{
		Name: "containerInElements", run: containerInElements,
		What:   "a container that two elements point to, by its own methods",
		Strict: `ErrOwnerInJob: array.Array[int] "inner" job loop`,
		Race:   `ErrOwnerInJob: array.Array[int] "inner" job loop`,
	},
	{
		Name: "containerElements", run: containerElements,
		What:    "a container that is an element by value, and so a copy",
		Checked: `ErrCopied: array.Value[int] "inner" job loop field In`,
		Strict:  `ErrCopied: array.Value[int] "inner" job loop field In`,
		Race:    `ErrCopied: array.Value[int] "inner" job loop field In`,
		Vet:     "custodycopied",
	},
	{
		Name: "twoOfOne", run: twoOfOne,
		What:    "a slice that two arrays have adopted, used by a job on each array",
		Checked: `ErrConflict: array.Array[int] "b" job loop field Out other job loop other field In`,
		Strict:  `ErrConflict: array.Array[int] "b" job loop field Out other job loop other field In`,
		Race:    `ErrConflict: array.Array[int] "b" job loop field Out other job loop other field In`,
		Vet:     "custodyadopted",
	},
	seenByRace("twoOfOneOwner", twoOfOneOwner,
		"a slice that two arrays have adopted, used by the owner while a job holds the other array"),
	seenByRace("ownSliceAdopted", ownSliceAdopted,
		"the `Slice` of an array, adopted by another array: a job on each"),
	seenByRace("readerAdopted", readerAdopted,
		"the `Slice` of a `Reader` of an array from `New`, adopted by the body and written by a nested job"),
	seenByRace("capturedAdopted", capturedAdopted,
		"a captured slice that two batches adopt, written by their nested jobs one after the other"),
	seenByRace("rangeWidened", rangeWidened,
		"an element outside the batch, after the body has called `SetRange` of the view's binder"),
}

// seenByRace returns an escape that only the race detector sees.
func seenByRace(name string, run func(), what string) escape {
	return escape{Name: name, run: run, What: what, Race: `race`}
}
