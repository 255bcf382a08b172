// A text that opens many instructions and never closes them (pairs_eleventh.toml).
package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark"
)

func main() {
	source := []byte("Some *plain* words.\n\na " + strings.Repeat("<? here ", 250) + "\n")
	var out bytes.Buffer
	if err := goldmark.Convert(source, &out); err != nil {
		panic(err)
	}
	fmt.Println(len(source), out.Len())
}
