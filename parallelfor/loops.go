package parallelfor

// The kinds behind the job structs. Each is a loop over cells, in a generic method of its own.

type indexKind[J any, P PerIndex[J]] struct{}

// PerIndex implements Kind.
func (indexKind[J, P]) PerIndex() bool { return true }

// Loop implements Kind.
func (indexKind[J, P]) Loop(job *J, r *Cells) error {
	for r.Next() {
		for i, end := r.begin, r.end; i < end; i++ {
			P(job).Execute(i)
		}
	}
	return nil
}

type batchKind[J any, P PerBatch[J]] struct{}

// PerIndex implements Kind.
func (batchKind[J, P]) PerIndex() bool { return false }

// Loop implements Kind.
func (batchKind[J, P]) Loop(job *J, r *Cells) error {
	for r.Next() {
		P(job).ExecuteBatch(r.begin, r.end)
	}
	return nil
}

type singleKind[J any, P Single[J]] struct{}

// PerIndex implements Kind.
func (singleKind[J, P]) PerIndex() bool { return false }

// Loop implements Kind.
func (singleKind[J, P]) Loop(job *J, r *Cells) error {
	for r.Next() {
		P(job).Execute()
	}
	return nil
}

type indexErrKind[J any, P PerIndexErr[J]] struct{}

// PerIndex implements Kind.
func (indexErrKind[J, P]) PerIndex() bool { return true }

// Loop implements Kind.
func (indexErrKind[J, P]) Loop(job *J, r *Cells) error {
	for r.Next() {
		for i, end := r.begin, r.end; i < end; i++ {
			if err := P(job).Execute(i); err != nil {
				return err
			}
		}
	}
	return nil
}

type batchErrKind[J any, P PerBatchErr[J]] struct{}

// PerIndex implements Kind.
func (batchErrKind[J, P]) PerIndex() bool { return false }

// Loop implements Kind.
func (batchErrKind[J, P]) Loop(job *J, r *Cells) error {
	for r.Next() {
		if err := P(job).ExecuteBatch(r.begin, r.end); err != nil {
			return err
		}
	}
	return nil
}

type singleErrKind[J any, P SingleErr[J]] struct{}

// PerIndex implements Kind.
func (singleErrKind[J, P]) PerIndex() bool { return false }

// Loop implements Kind.
func (singleErrKind[J, P]) Loop(job *J, r *Cells) error {
	for r.Next() {
		if err := P(job).Execute(); err != nil {
			return err
		}
	}
	return nil
}
