// Command jsonlines reads JSON objects from standard input. It fails unless there is at least one
// and each has a string and a number.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

func main() {
	n, err := count(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, "jsonlines:", err)
		os.Exit(1)
	}
	fmt.Println(n, "rows of JSON")
}

// count returns the number of objects in r.
func count(r io.Reader) (n int, err error) {
	d := json.NewDecoder(r)
	for ; ; n++ {
		var row map[string]any
		err := d.Decode(&row)
		switch {
		case errors.Is(err, io.EOF) && n > 0:
			return n, nil
		case err != nil:
			return n, fmt.Errorf("row %d: %w", n+1, err)
		}
		text, number := false, false
		for _, v := range row {
			switch v.(type) {
			case string:
				text = true
			case float64:
				number = true
			}
		}
		if !text || !number {
			return n, fmt.Errorf("row %d has no name or no number: %v", n+1, row)
		}
	}
}
