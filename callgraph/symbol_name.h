// What a function's name says beyond callgraph/name_parts.h: whether it is a bare address, what it is called without
// its namespace, template arguments and parameters, which routine a run-time variant implements. Used for matching and
// for the texts of the explanation.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace icount {

/// "0x0000000000109ca0": what Callgrind calls code without a symbol; " [PLT]" and the like may follow.
bool is_address_name(std::string_view name);

/// The number of an address name; 0 for any other name.
uint64_t address_of_name(std::string_view name);

/// "void ns::Foo<int>::bar<long>(int) const" -> "ns::Foo::bar": without template arguments, parameters, return type and
/// qualifiers. Lambdas and unnamed types lose their number: "main::{lambda#}::operator()".
std::string plain_name(std::string_view name);

/// The same with template arguments: "ns::Foo<int>::bar<long>".
std::string name_without_parameters(std::string_view name);

/// A name whole, with std::string for what it stands for and without default allocators and the like.
std::string with_common_types_short(std::string_view name);

/// A name for a sentence: std::string for what it stands for, no default allocators, and where it is still long no
/// parameters and return type, then no template arguments. OCaml's and Fortran's symbols as the source has them, and
/// "memcpy" of "__memcpy_avx_unaligned". Other short names stay as they are.
std::string short_name(std::string_view name);

/// Whether the name counts lambdas or unnamed types of its function ("{lambda(int)#2}", "$_1", "'lambda0'", Rust's
/// "{closure#0}", Go's "main.run.func1"), or all functions, as Nim ("parse__reader_12") and OCaml ("camlShop__fun_537")
/// do: such a number shifts when another one is written above it.
bool has_lambda_number(std::string_view name);

/// Whether the name says where its function stands, as PHP's "{closure:/srv/shop.php:8-8}" and Python's "f a.py:3" of
/// yappi: another folder or a line more above, and it is another name.
bool has_place(std::string_view name);

/// A name without such numbers and places, else as it is.
std::string without_lambda_numbers(std::string_view name);

/// The part of a plain name behind its last "::" outside brackets: "bar".
std::string_view last_word(std::string_view plain);

/// "__memcpy_avx_unaligned_erms" -> "memcpy": the routine behind a variant that libc or libm picks by CPU; empty when
/// the name is no such variant.
std::string_view dispatched_routine(std::string_view name);

}  // namespace icount
