// A quarry's loads: lines are read, checked, summed by face and month, and a report is written.
package main

import (
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

const joined = false     // JOINED
const keyMade = false    // KEY_MADE
const compiled = false   // COMPILED_EACH
const deepEqual = false  // DEEP_EQUAL

type load struct {
	face   string
	month  int
	weight int
	marks  [4]int
}

type place struct {
	face  string
	month int
}

func day(lines int) []string {
	out := make([]string, 0, lines)
	state := uint32(3)
	for i := 0; i < lines; i++ {
		state = state*1664525 + 1013904223
		drawn := int(state >> 14)
		out = append(out, "face-"+strconv.Itoa(drawn%40)+" "+strconv.Itoa(drawn%12+1)+" "+strconv.Itoa(drawn%9000))
	}
	return out
}

var form = regexp.MustCompile(`^face-[0-9]+ `)

//go:noinline
func wellFormed(line string) bool {
	if compiled {
		matched, _ := regexp.MatchString(`^face-[0-9]+ `, line)
		return matched
	}
	return form.MatchString(line)
}

//go:noinline
func parsed(line string) load {
	parts := strings.Fields(line)
	month, _ := strconv.Atoi(parts[1])
	weight, _ := strconv.Atoi(parts[2])
	return load{face: parts[0], month: month, weight: weight, marks: [4]int{month, weight % 7, weight % 5, 1}}
}

//go:noinline
func same(a, b *load) bool {
	if deepEqual {
		return reflect.DeepEqual(*a, *b)
	}
	return a.face == b.face && a.month == b.month && a.weight == b.weight && a.marks == b.marks
}

var sums = map[place]int{}
var sumsByName = map[string]int{}

//go:noinline
func summed(one *load) {
	if keyMade {
		sumsByName[fmt.Sprintf("%s/%d", one.face, one.month)] += one.weight
	} else {
		sums[place{one.face, one.month}] += one.weight
	}
}

//go:noinline
func report(loads []load) string {
	if joined {
		text := ""
		for i := range loads {
			text += loads[i].face + " " + strconv.Itoa(loads[i].weight) + "\n"
		}
		return text
	}
	var text strings.Builder
	for i := range loads {
		text.WriteString(loads[i].face)
		text.WriteString(" ")
		text.WriteString(strconv.Itoa(loads[i].weight))
		text.WriteString("\n")
	}
	return text.String()
}

func main() {
	loads := []load{}
	twice := 0
	for _, line := range day(2500) {
		if !wellFormed(line) {
			continue
		}
		one := parsed(line)
		summed(&one)
		for i := len(loads) - 1; i >= 0 && i >= len(loads)-8; i-- {
			if same(&loads[i], &one) {
				twice++
			}
		}
		loads = append(loads, one)
	}
	fmt.Println(len(loads), twice, len(sums)+len(sumsByName), len(report(loads)))
}
