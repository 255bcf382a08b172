(* Words are looked for on a board of letters, by a trie (pairs_tenth.toml). *)

type node = { mutable ends : bool; children : (char, node) Hashtbl.t }

let fresh () = { ends = false; children = Hashtbl.create 4 }

let add_word root word =
  let at = ref root in
  String.iter
    (fun letter ->
      match Hashtbl.find_opt !at.children letter with
      | Some node -> at := node
      | None ->
          let node = fresh () in
          Hashtbl.add !at.children letter node;
          at := node)
    word;
  !at.ends <- true

let words =
  [ "stone"; "tones"; "rain"; "train"; "trains"; "star"; "stare"; "rest"; "nest"; "tea"; "teas"; "seat"; "oar"; "roast"; "toast"; "store"; "shore"; "north"; "thorn"; "earth" ]

type board = { side : int; letters : Bytes.t }

let board_of side =
  let state = ref 12 in
  let letters =
    Bytes.init (side * side) (fun _ ->
        state := ((!state * 1103515245) + 12345) land 0x7fffffff;
        "etaoinsrht".[(!state lsr 16) mod 10])
  in
  { side; letters }

let letter_at board x y = if x < 0 || y < 0 || x >= board.side || y >= board.side then '.' else Bytes.get board.letters ((y * board.side) + x)

let rebuilt = Sys.getenv_opt "REBUILT" <> None
let side = match Sys.getenv_opt "SIDE" with Some text -> int_of_string text | None -> 14

let trie () =
  let root = fresh () in
  List.iter (add_word root) words;
  root

(* How many words begin at a place and go on in one direction or turn. *)
let rec paths board node x y used =
  if List.mem (x, y) used then 0
  else
    let letter = letter_at board x y in
    match Hashtbl.find_opt node.children letter with
    | None -> 0
    | Some below ->
        let used = (x, y) :: used in
        (if below.ends then 1 else 0)
        + paths board below (x + 1) y used
        + paths board below (x - 1) y used
        + paths board below x (y + 1) used
        + paths board below x (y - 1) used

let search_row board root y =
  let found = ref 0 in
  for x = 0 to board.side - 1 do
    let root = if rebuilt then trie () else root in
    found := !found + paths board root x y []
  done;
  !found

let () =
  let board = board_of side in
  let root = trie () in
  let found = ref 0 in
  for y = 0 to board.side - 1 do
    found := !found + search_row board root y
  done;
  Printf.printf "%d words\n" !found
