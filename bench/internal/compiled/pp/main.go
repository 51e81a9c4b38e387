package main

import (
	"fmt"

	"github.com/puzpuzpuz/xsync/v4"
)

type K0 struct { a int32; b uint16; _ [0]int }
type V0 struct { x, y float32; _ [0]int }
func use0() {
 m := xsync.NewMap[K0, V0]()
 var k K0
 var v V0
 m.Store(k, v)
 v, _ = m.Load(k)
 fmt.Println(v)
}
type K1 struct { a int32; b uint16; _ [1]int }
type V1 struct { x [3]int; _ [1]int }
func use1() {
 m := xsync.NewMap[K1, V1]()
 var k K1
 var v V1
 m.Store(k, v)
 v, _ = m.Load(k)
 fmt.Println(v)
}
type K2 struct { s string; n int; _ [2]int }
type V2 struct { s string; n int; _ [2]int }
func use2() {
 m := xsync.NewMap[K2, V2]()
 var k K2
 var v V2
 m.Store(k, v)
 v, _ = m.Load(k)
 fmt.Println(v)
}
type K3 struct { s string; n int; _ [3]int }
type V3 struct { p *int; _ [3]int }
func use3() {
 m := xsync.NewMap[K3, V3]()
 var k K3
 var v V3
 m.Store(k, v)
 v, _ = m.Load(k)
 fmt.Println(v)
}
type K4 struct { a, b string; _ [4]int }
type V4 struct { x, y float32; _ [4]int }
func use4() {
 m := xsync.NewMap[K4, V4]()
 var k K4
 var v V4
 m.Store(k, v)
 v, _ = m.Load(k)
 fmt.Println(v)
}
type K5 struct { a, b string; _ [5]int }
type V5 struct { x [3]int; _ [5]int }
func use5() {
 m := xsync.NewMap[K5, V5]()
 var k K5
 var v V5
 m.Store(k, v)
 v, _ = m.Load(k)
 fmt.Println(v)
}
type K6 struct { a int; _ [6]int }
type V6 struct { s string; n int; _ [6]int }
func use6() {
 m := xsync.NewMap[K6, V6]()
 var k K6
 var v V6
 m.Store(k, v)
 v, _ = m.Load(k)
 fmt.Println(v)
}
type K7 struct { a int; _ [7]int }
type V7 struct { p *int; _ [7]int }
func use7() {
 m := xsync.NewMap[K7, V7]()
 var k K7
 var v V7
 m.Store(k, v)
 v, _ = m.Load(k)
 fmt.Println(v)
}
func main() {
use0()
use1()
use2()
use3()
use4()
use5()
use6()
use7()
}
