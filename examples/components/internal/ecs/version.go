package ecs

// never is the version of what has not happened yet.
const never uint32 = 0

// after returns the version that follows v. There is none behind the last one: they begin anew, but for never.
func after(v uint32) uint32 {
	if v++; v == never {
		v++
	}
	return v
}

// newer says whether something that has version v happened after since. Versions are compared around the wrap, so of two that are
// more than 2^31 apart it is the wrong one.
func newer(v, since uint32) bool { return since == never || int32(v-since) > 0 }
