(* Orders the nodes of a generated graph and finds its components. *)
let nodes = 260
let edges = List.init 700 (fun i -> (i * 37 mod nodes, i * 91 mod nodes))

let compare_edges =
  if Sys.getenv_opt "POLYMORPHIC" <> None then compare
  else fun ((a : int), (b : int)) (c, d) -> if a <> c then Int.compare a c else Int.compare b d

let sorted () = List.sort compare_edges edges

let neighbours_by_list list node = List.filter_map (fun (a, b) -> if a = node then Some b else if b = node then Some a else None) list

let neighbours_by_table list =
  let table = Hashtbl.create 64 in
  List.iter (fun (a, b) -> Hashtbl.add table a b; Hashtbl.add table b a) list;
  fun node -> Hashtbl.find_all table node

let components list =
  let neighbours = if Sys.getenv_opt "BY_LIST" <> None then neighbours_by_list list else neighbours_by_table list in
  let seen = Array.make nodes false in
  let rec visit node =
    if not seen.(node) then begin
      seen.(node) <- true;
      List.iter visit (neighbours node)
    end
  in
  let count = ref 0 in
  for node = 0 to nodes - 1 do
    if not seen.(node) then begin incr count; visit node end
  done;
  !count

let () =
  let list = sorted () in
  Printf.printf "%d %d\n" (components list) (fst (List.hd list))
