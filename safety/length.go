package safety

// ClaimLength adds what a job needs to ask the view, when it starts, how long it is: a claim to read the view's
// container, or none if the job claims that container anyway. It returns the number of the claim that stands
// for the view.
func (t *Ticket) ClaimLength(v View) int {
	var c Claim
	v.access().fill(&c)
	for i := range t.claims {
		if o := &t.claims[i]; c.Guard != nil && o.Guard == c.Guard && o.from == c.from {
			return i
		}
	}
	*t.nextClaim() = Claim{Guard: c.Guard, Mode: Read, Field: "LengthOf", from: c.from, epoch: c.epoch}
	return len(t.claims) - 1
}

// Fits returns the violation of a claim that does not serve n indices, if there is one: for a job whose length was
// not known when it was opened.
func (t *Ticket) Fits(n int) *Violation {
	if !Enabled {
		return nil
	}
	for i := range t.claims {
		if v := t.long(&t.claims[i], n); v != nil {
			return v
		}
	}
	return nil
}
