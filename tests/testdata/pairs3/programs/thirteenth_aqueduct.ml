(* An aqueduct's gauges: readings are drawn, sums are kept by place, arches are looked up, and a report is written. *)
let by_printf = false (* BY_PRINTF *)
let by_nth = false (* BY_NTH *)
let weak_hash = false (* WEAK_HASH *)

type reading = { place : string; arch : int; level : int }

let state = ref 23

let drawn limit =
  state := ((!state * 1103515245) + 12345) land 0x3fffffff;
  (!state lsr 9) mod limit

let sources = [| "spring"; "cistern"; "siphon"; "settling tank"; "castellum"; "fountain" |]

let arches = 160

let reading () =
  { place = sources.(drawn 6) ^ " " ^ string_of_int (drawn 90); arch = drawn arches; level = drawn 900 }

let rec readings made count = if count = 0 then List.rev made else readings (reading () :: made) (count - 1)

(* ---- sums by place *)
module Places = Hashtbl.Make (struct
  type t = string

  let equal = String.equal

  let hash text =
    if weak_hash then String.length text
    else begin
      let hash = ref 5381 in
      String.iter (fun c -> hash := (!hash * 33) + Char.code c) text;
      !hash land max_int
    end
end)

let add sums one =
  match Places.find_opt sums one.place with
  | Some sum -> sum := !sum + one.level
  | None -> Places.add sums one.place (ref one.level)

let sums_of all =
  let sums = Places.create 1024 in
  List.iter (add sums) all;
  sums

(* ---- heights of the arches, as a list that was read and as an array *)
let heights_read = List.init arches (fun i -> 40 + (i * 7 mod 90))
let heights = Array.of_list heights_read
let height arch = if by_nth then List.nth heights_read arch else heights.(arch)

let pressure all = List.fold_left (fun sum one -> sum + (height one.arch * one.level / 10)) 0 all

(* ---- the report *)
let pad text width =
  let missing = width - String.length text in
  if missing > 0 then String.make missing ' ' ^ text else text

let line one =
  if by_printf then Printf.sprintf "%20s %5d %5d\n" one.place one.arch one.level
  else String.concat "" [ pad one.place 20; " "; pad (string_of_int one.arch) 5; " "; pad (string_of_int one.level) 5; "\n" ]

let report all =
  let text = Buffer.create 1024 in
  List.iter (fun one -> Buffer.add_string text (line one)) all;
  Buffer.contents text

let () =
  let all = readings [] 6000 in
  let sums = sums_of all in
  let most = Places.fold (fun _ sum most -> max !sum most) sums 0 in
  let sum = pressure all in
  let text = report all in
  print_endline (string_of_int (Places.length sums) ^ " " ^ string_of_int most ^ " " ^ string_of_int sum ^ " " ^ string_of_int (String.length text))
