// Appointments of a clinic: kept in order, and written as JSON (pairs_eleventh.toml).
package main

import (
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
)

const marshalled = false // MARSHALLED
const sortedEach = false // SORTED_EACH

type visit struct {
	Patient string `json:"patient"`
	Minute  int    `json:"minute"`
	Room    int    `json:"room"`
	Urgent  bool   `json:"urgent"`
}

//go:noinline
func kept(day []visit, one visit) []visit {
	if sortedEach {
		day = append(day, one)
		sort.Slice(day, func(i, j int) bool { return day[i].Minute < day[j].Minute })
		return day
	}
	at := sort.Search(len(day), func(i int) bool { return day[i].Minute > one.Minute })
	day = append(day, visit{})
	copy(day[at+1:], day[at:])
	day[at] = one
	return day
}

//go:noinline
func appendVisit(out []byte, one *visit) []byte {
	if marshalled {
		text, err := json.Marshal(one)
		if err != nil {
			panic(err)
		}
		return append(out, text...)
	}
	out = append(out, `{"patient":"`...)
	out = append(out, one.Patient...)
	out = append(out, `","minute":`...)
	out = strconv.AppendInt(out, int64(one.Minute), 10)
	out = append(out, `,"room":`...)
	out = strconv.AppendInt(out, int64(one.Room), 10)
	out = append(out, `,"urgent":`...)
	out = strconv.AppendBool(out, one.Urgent)
	return append(out, '}')
}

func main() {
	bytes := 0
	for date := 0; date < 25; date++ {
		var day []visit
		for i := 0; i < 90; i++ {
			noise := (i*7919 + date*104729) % 1009
			day = kept(day, visit{"patient " + strconv.Itoa(noise), noise % 480, i % 9, noise%11 == 0})
		}
		var out []byte
		for i := range day {
			out = appendVisit(out, &day[i])
			out = append(out, '\n')
		}
		bytes += len(out)
	}
	fmt.Println(bytes)
}
