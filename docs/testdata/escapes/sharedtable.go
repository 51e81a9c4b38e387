package main

// shared are the escapes of shared.go.
var shared = []escape{
	{
		Name: "readerWritten", run: readerWritten,
		What: "what `Slice` of a `Reader` returned, written by the body, of an `Array`",
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
		What: "what `At` of a `StreamReader` returned, written by the body",
		Race: `race`,
		Vet:  "custodyreadonly",
	},
	{
		Name: "queueReaderWritten", run: queueReaderWritten,
		What: "what `Slices` of a queue's `Reader` returned, written by the body",
		Race: `race`,
		Vet:  "custodyreadonly",
	},
	{
		Name: "pointerInElements", run: pointerInElements,
		What: "what two elements point to, written by the cells that own these",
		Race: `race`,
	},
	{
		Name: "sliceInElements", run: sliceInElements,
		What: "the same, of elements that are slices",
		Race: `race`,
	},
	{
		Name: "containerInElements", run: containerInElements,
		What:   "the same, of elements that are containers, through their own methods",
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
		What:    "a slice that two arrays have adopted, by a job on each",
		Checked: `ErrConflict: array.Array[int] "b" job loop field Out other job loop other field In`,
		Strict:  `ErrConflict: array.Array[int] "b" job loop field Out other job loop other field In`,
		Race:    `ErrConflict: array.Array[int] "b" job loop field Out other job loop other field In`,
		Vet:     "custodyadopted",
	},
	{
		Name: "twoOfOneOwner", run: twoOfOneOwner,
		What: "the same, by the owner while a job holds the other array",
		Race: `race`,
	},
	{
		Name: "ownSliceAdopted", run: ownSliceAdopted,
		What: "what `Slice` of an array returned, adopted by another one, by a job on each",
		Race: `race`,
	},
}
