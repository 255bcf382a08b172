// Settings of many sections, read by BurntSushi/toml.
package main

import (
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

func main() {
	var text strings.Builder
	for i := 0; i < 150; i++ {
		fmt.Fprintf(&text, "[station.number%d]\nname = \"station on the river %d\"\nkeeper = \"somebody of the town\"\nheight = %d\nopen = true\n\n", i, i, i*3)
	}
	var settings map[string]interface{}
	if _, err := toml.Decode(text.String(), &settings); err != nil {
		panic(err)
	}
	fmt.Println(len(settings), text.Len())
}
