package capture

import (
	"context"

	"example.com/custody/array"
	"example.com/custody/table"
)

func loopsOverTables(balls *table.Table[int], in *array.Array[int], x *table.Column[int]) {
	table.For(balls.Rows(), x.Writer(), func(w *array.Writer[int], i int) {
		w.Set(i, in.At(i)) // want `the job uses container in itself`
	})
	_ = table.ForErr(context.Background(), balls.Rows(), x.Writer(), func(w *array.Writer[int], i int) error {
		w.Set(i, in.At(i)) // want `the job uses container in itself`
		return nil
	})
	table.ForChunks(balls.Rows(), x.Writer(), func(w *array.Writer[int], begin, end int) {
		w.Set(begin, x.At(end-1)) // want `the job uses container x itself`
	})
}
