package main

import (
	"strconv"
	"strings"

	"github.com/buger/jsonparser"
)

// A list of many small objects.
func main() {
	text := strings.Builder{}
	text.WriteString("[")
	for i := 0; i < 300; i++ {
		if i > 0 {
			text.WriteString(",")
		}
		text.WriteString("{\"name\":\"boat " + strconv.Itoa(i) + "\",\"berth\":" + strconv.Itoa(i%40) + ",\"captain\":\"captain " + strconv.Itoa(i%17) + "\"}")
	}
	text.WriteString("]")
	sum := int64(0)
	length := 0
	jsonparser.ArrayEach([]byte(text.String()), func(value []byte, kind jsonparser.ValueType, offset int, err error) {
		berth, _ := jsonparser.GetInt(value, "berth")
		captain, _ := jsonparser.GetString(value, "captain")
		sum += berth
		length += len(captain)
	})
	println(sum, length)
}
