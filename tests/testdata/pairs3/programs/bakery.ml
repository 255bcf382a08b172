(* A bakery's orders: drawn, put in order, summed by kind, and told of. *)
let at_the_end = false (* AT_THE_END *)
let concatenated = false (* CONCATENATED *)

type order = { kind : string; pieces : int; hour : int }

let kinds = [| "rye bread"; "white bread"; "poppy roll"; "pretzel"; "plum cake"; "rusk" |]

module Kinds = Map.Make (String)

let state = ref 11

let drawn () =
  state := ((!state * 1103515245) + 12345) land 0x7fffffff;
  !state lsr 8

let order () =
  let one = drawn () in
  { kind = kinds.(one mod 6); pieces = 1 + (one mod 40); hour = one mod 24 }

let rec orders made count =
  if count = 0 then made
  else if at_the_end then orders (made @ [ order () ]) (count - 1)
  else orders (order () :: made) (count - 1)

let earlier a b = if a.hour <> b.hour then a.hour - b.hour else String.compare a.kind b.kind

let sums all =
  List.fold_left
    (fun sums one ->
      let before = match Kinds.find_opt one.kind sums with Some sum -> sum | None -> 0 in
      Kinds.add one.kind (before + one.pieces) sums)
    Kinds.empty all

let report all =
  if concatenated then List.fold_left (fun text one -> text ^ one.kind ^ " " ^ string_of_int one.pieces ^ "\n") "" all
  else begin
    let text = Buffer.create 1024 in
    List.iter
      (fun one ->
        Buffer.add_string text one.kind;
        Buffer.add_char text ' ';
        Buffer.add_string text (string_of_int one.pieces);
        Buffer.add_char text '\n')
      all;
    Buffer.contents text
  end

let () =
  let all = orders [] 2000 in
  let ordered = List.sort earlier all in
  let totals = sums ordered in
  let text = report ordered in
  Printf.printf "%d orders, %d kinds, %d characters\n" (List.length all) (Kinds.cardinal totals) (String.length text)
