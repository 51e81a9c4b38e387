// Groupby groups orders by customer in a hashmap.MultiMap and adds up each group, in two loops: the
// second one has an index for each group. The total is a counter.Sum.
package main

import (
	"fmt"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type order struct {
	customer string
	cents    int
}

// group adds each order to its customer's group.
type group struct {
	Orders     array.Reader[order]
	ByCustomer hashmap.MultiParallelWriter[string, int]
	Total      counter.SumParallelWriter[int]
}

func (g *group) Execute(i int) {
	o := g.Orders.At(i)
	g.ByCustomer.Add(o.customer, o.cents)
	g.Total.Add(o.cents)
}

// bill is what a customer owes.
type bill struct {
	customer      string
	orders, cents int
}

// add adds up the group with index i.
type add struct {
	ByCustomer hashmap.MultiReader[string, int]
	Bills      array.Writer[bill]
}

func (a *add) Execute(i int) {
	customer, orders := a.ByCustomer.At(i)
	b := bill{customer: customer, orders: len(orders)}
	for _, cents := range orders {
		b.cents += cents
	}
	a.Bills.Set(i, b)
}

func main() {
	orders := array.New[order](1000, safety.Named("orders"))
	for i := range orders.Len() {
		name := []string{"Ann", "Bob", "Cy"}[i*i%7%3]
		orders.Set(i, order{customer: name, cents: 100 + i})
	}
	byCustomer := hashmap.NewMulti[string, int](safety.Named("by customer"))
	total := counter.NewSum[int]()
	parallelfor.For(orders.Len(), group{
		Orders:     orders.Reader(),
		ByCustomer: byCustomer.ParallelWriter(),
		Total:      total.ParallelWriter(),
	}, (*group).Execute)

	bills := array.New[bill](byCustomer.LenKeys(), safety.Named("bills"))
	parallelfor.For(bills.Len(), add{
		ByCustomer: byCustomer.Reader(),
		Bills:      bills.Writer(),
	}, (*add).Execute)
	for _, b := range bills.All() {
		fmt.Printf("%-3s %4d orders %7d cents\n", b.customer, b.orders, b.cents)
	}
	fmt.Println("total", total.Value(), "cents")
}
