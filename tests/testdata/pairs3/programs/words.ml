(* Splits generated lines into words and counts them. *)
let lines = List.init 60 (fun i -> Printf.sprintf "line %d, of some words; and a number %d" i (i * i))

let pattern = Str.regexp "[ ,;]+"
let words line =
  if Sys.getenv_opt "COMPILE_EACH" <> None then Str.split (Str.regexp "[ ,;]+") line
  else Str.split pattern line

let rec collect at_end found = function
  | [] -> found
  | line :: rest ->
      let found = if at_end then found @ words line else List.rev_append (words line) found in
      collect at_end found rest

let () =
  let all = collect (Sys.getenv_opt "APPEND_AT_END" <> None) [] lines in
  let table = Hashtbl.create 100 in
  List.iter (fun word -> Hashtbl.replace table word (1 + Option.value ~default:0 (Hashtbl.find_opt table word))) all;
  Printf.printf "%d words, %d different\n" (List.length all) (Hashtbl.length table)
