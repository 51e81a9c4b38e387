package main

// shared are the escapes of shared.go.
var shared = []escape{
	{
		Name: "readerWritten", run: readerWritten,
		What: "the slice that `Slice` of a `Reader` of an `Array` returned, written by the body",
		Race: `race`,
		Vet:  "custodyreadonly",
	},
	{
		Name: "listReaderWritten", run: listReaderWritten,
		What: "the same, of a `List`",
		Race: `race`,
		Vet:  "custodyreadonly",
	},
	{
		Name: "doubleReaderWritten", run: doubleReaderWritten,
		What: "the same, of a `Double`",
		Race: `race`,
		Vet:  "custodyreadonly",
	},
	{
		Name: "columnReaderWritten", run: columnReaderWritten,
		What: "the same, of a `Column`",
		Race: `race`,
		Vet:  "custodyreadonly",
	},
	{
		Name: "streamReaderWritten", run: streamReaderWritten,
		What: "the row that `At` of a `StreamReader` returned, written by the body",
		Race: `race`,
		Vet:  "custodyreadonly",
	},
	{
		Name: "queueReaderWritten", run: queueReaderWritten,
		What: "a slice that `Slices` of a queue's `Reader` returned, written by the body",
		Race: `race`,
		Vet:  "custodyreadonly",
	},
	seenByRace("pointerInElements", pointerInElements,
		"a variable that two elements point to, written by the batches that own the elements"),
	seenByRace("sliceInElements", sliceInElements,
		"the memory of a slice that two elements share, written by the batches that own the elements"),
	{
		Name: "containerInElements", run: containerInElements,
		What:   "a container that two elements point to, written through its own methods by the batches that own them",
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
		"the same, used by the owner while a job holds the other array"),
	seenByRace("ownSliceAdopted", ownSliceAdopted,
		"a slice that `Slice` of an array returned and another array adopted, used by a job on each array"),
	seenByRace("readerAdopted", readerAdopted,
		"a slice that `Slice` of a `Reader` of an array from `New` returned, adopted by the body and written by a nested job"),
	seenByRace("capturedAdopted", capturedAdopted,
		"a captured slice that two batches adopt, written by a nested job of one batch and then by one of the other"),
	seenByRace("rangeWidened", rangeWidened,
		"an element outside the batch, used after the body has called `SetRange` of its view's binder"),
}

// seenByRace returns an escape that only the race detector sees.
func seenByRace(name string, run func(), what string) escape {
	return escape{Name: name, run: run, What: what, Race: `race`}
}
