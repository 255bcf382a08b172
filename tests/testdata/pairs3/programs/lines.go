// Reads generated lines and writes a summary.
package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
)

var pattern = regexp.MustCompile(`^(\w+)-(\d+): (error|warning)$`)

func matches(line string) bool {
	if os.Getenv("COMPILE_EACH") != "" {
		return regexp.MustCompile(`^(\w+)-(\d+): (error|warning)$`).MatchString(line)
	}
	return pattern.MatchString(line)
}

func number(i int) string {
	if os.Getenv("BY_SPRINTF") != "" {
		return fmt.Sprintf("%d", i)
	}
	return strconv.Itoa(i)
}

func join(parts []string) string {
	if os.Getenv("BY_PLUS") != "" {
		text := ""
		for _, part := range parts {
			text += part
		}
		return text
	}
	var text strings.Builder
	for _, part := range parts {
		text.WriteString(part)
	}
	return text.String()
}

func main() {
	found := 0
	var parts []string
	for i := 0; i < 120; i++ {
		line := "line-" + number(i) + ": warning"
		if matches(line) {
			found++
		}
		parts = append(parts, line)
	}
	println(found, len(join(parts)))
}
