(* A rota of watches: who stands when, and how often two meet (pairs_ninth.toml). *)

let asked name = Sys.getenv_opt name <> None

let people = 45
let watches = 900

let person i = (i * 7919 + (i / 7)) mod people

(* All watches of one person, in order. *)
let[@inline never] watches_by_append who =
  let found = ref [] in
  for i = 0 to watches - 1 do
    if person i = who || (i * i) mod people = who then found := !found @ [ i ]
  done;
  !found

let[@inline never] watches_by_cons who =
  let found = ref [] in
  for i = 0 to watches - 1 do
    if person i = who || (i * i) mod people = who then found := i :: !found
  done;
  List.rev !found

(* How often two stand one after the other. *)
let[@inline never] meetings_by_text () =
  let table = Hashtbl.create 64 in
  for i = 1 to watches - 1 do
    let key = Printf.sprintf "%d/%d" (person (i - 1)) (person i) in
    let before = Option.value (Hashtbl.find_opt table key) ~default:0 in
    Hashtbl.replace table key (before + 1)
  done;
  Hashtbl.fold (fun _ n most -> max n most) table 0

let[@inline never] meetings_by_number () =
  let table = Hashtbl.create 64 in
  for i = 1 to watches - 1 do
    let key = (person (i - 1) * people) + person i in
    let before = Option.value (Hashtbl.find_opt table key) ~default:0 in
    Hashtbl.replace table key (before + 1)
  done;
  Hashtbl.fold (fun _ n most -> max n most) table 0

let[@inline never] day () =
  let sum = ref 0 in
  for who = 0 to people - 1 do
    let found = if asked "APPENDED" then watches_by_append who else watches_by_cons who in
    sum := !sum + List.fold_left (fun all i -> ((all * 31) + i) mod 100003) 0 found
  done;
  for _ = 1 to 3 do
    sum := !sum + if asked "KEYS_AS_TEXT" then meetings_by_text () else meetings_by_number ()
  done;
  !sum

let () = Printf.printf "%d\n" (day ())
