(* A heap is made of many numbers, and the least of them are taken. *)
module Heap = CCHeap.Make (struct
  type t = int

  let leq (a : int) b = a <= b
end)

let () =
  let sum = ref 0 in
  for round = 1 to 4 do
    let heap = ref (Heap.of_list (List.init 3000 (fun i -> i * 7919 mod (3001 + round)))) in
    for _ = 1 to 20 do
      let rest, least = Heap.take_exn !heap in
      heap := rest;
      sum := !sum + least
    done
  done;
  print_endline (string_of_int !sum)
