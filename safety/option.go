package safety

// Option configures a container when it is made.
type Option struct{ name string }

// Named gives a container a name for the texts of violations.
func Named(name string) Option { return Option{name: name} }
