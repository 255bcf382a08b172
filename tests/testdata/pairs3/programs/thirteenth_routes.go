package main

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/gorilla/mux"
)

// Requests with a long query, of which the route needs one field.
func main() {
	router := mux.NewRouter()
	router.HandleFunc("/boats", func(http.ResponseWriter, *http.Request) {}).Queries("berth", "{berth:[0-9]+}")
	found := 0
	for i := 0; i < 300; i++ {
		address, _ := url.Parse("http://harbour.example/boats?name=The+Good+Hope&captain=van+den+Broeck&year=" + strconv.Itoa(1600+i) + "&berth=" + strconv.Itoa(i) + "&flag=red%2Cwhite&cargo=herring&owner=none&port=Hoorn")
		request := &http.Request{Method: "GET", URL: address, Host: address.Host, Header: http.Header{}}
		match := mux.RouteMatch{}
		if router.Match(request, &match) {
			found += len(match.Vars["berth"])
		}
	}
	println(found)
}
