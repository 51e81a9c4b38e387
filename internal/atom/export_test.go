package atom

// MayTest reports whether a program whose main package has that path may be a test.
var MayTest = mayTest
