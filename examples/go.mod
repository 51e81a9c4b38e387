module example.com/custody/examples

go 1.26.0

require (
	example.com/custody v0.0.0
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/anishathalye/porcupine v1.3.1 // indirect
	github.com/leanovate/gopter v0.2.11 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)

replace example.com/custody => ..
