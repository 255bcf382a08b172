(* Harvests of a vineyard: baskets are summed by slope and grape, and told (pairs_eleventh.toml). *)
let by_sprintf = false (* BY_SPRINTF *)
let by_list = false (* BY_LIST *)

type basket = { slope : int; grape : string; weight : int }

let grapes = [| "riesling"; "silvaner"; "traminer"; "elbling"; "blauburger" |]

let basket_of number =
  let noise = (number * 7919 + 104729) mod 10007 in
  { slope = noise mod 24; grape = grapes.(noise / 24 mod 5); weight = 12 + (noise mod 17) }

let key_of basket = if by_sprintf then Printf.sprintf "%s:%d" basket.grape basket.slope else basket.grape ^ ":" ^ string_of_int basket.slope
[@@inline never]

let sums : (string, int) Hashtbl.t = Hashtbl.create 64
let list : (string * int ref) list ref = ref []

let add key weight =
  if by_list then
    match List.assoc_opt key !list with
    | Some sum -> sum := !sum + weight
    | None -> list := (key, ref weight) :: !list
  else
    match Hashtbl.find_opt sums key with
    | Some sum -> Hashtbl.replace sums key (sum + weight)
    | None -> Hashtbl.add sums key weight
[@@inline never]

let told () =
  let all = if by_list then List.map (fun (key, sum) -> (key, !sum)) !list else Hashtbl.fold (fun key sum rest -> (key, sum) :: rest) sums [] in
  let buffer = Buffer.create 4096 in
  List.iter
    (fun (key, sum) ->
      Buffer.add_string buffer key;
      Buffer.add_char buffer ' ';
      Buffer.add_string buffer (string_of_int sum);
      Buffer.add_char buffer '\n')
    (List.sort compare all);
  Buffer.length buffer

let () =
  for number = 1 to 6000 do
    let basket = basket_of number in
    add (key_of basket) basket.weight
  done;
  print_endline (string_of_int (told ()))
