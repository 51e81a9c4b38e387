module example.com/custody/vet/testdata

go 1.26.0

require example.com/custody v0.0.0

replace example.com/custody => ../..
