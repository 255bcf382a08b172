// The weights of the judgement: what counts as nearly all, as much, as little, as the same. Relations and prices use
// these and no numbers of their own. docs/explaining_diff.md says which pairs with a known cause decided them.
#pragma once

namespace icount {

// Parts of a whole.

/// Half of it is a bound that is not weighed.
inline constexpr long double kHalf = 0.5L;
/// Nearly all of it: the rest is not worth a word.
inline constexpr long double kNearlyAll = 0.9L;
/// So much of what changed about a function is its own cost: it grew as a whole.
inline constexpr long double kMostlyOwn = 0.7L;
/// With so much of a sum one term says it alone.
inline constexpr long double kMostOfIt = 0.6L;
/// So much of the change leads it.
inline constexpr long double kLeads = 0.4L;
/// A part that must be told: of two that cancel, of a function's functions, of a new call.
inline constexpr long double kMatters = 0.25L;
/// A part that may decide, beside the largest.
inline constexpr long double kSomePart = 0.2L;
/// A part that is named.
inline constexpr long double kPart = 0.1L;
/// A part that does not decide.
inline constexpr long double kLittle = 0.05L;
/// Figures that differ by no more are the same.
inline constexpr long double kSame = 0.02L;
/// What is less is not looked at, and prices that differ by less are one.
inline constexpr long double kHardly = 0.01L;

// How many times.

/// More than this part of a change is half of something else.
inline constexpr long double kTooMuch = 1.6L;
/// What became so many times as much grew; magnitudes of so many times their sum go one way.
inline constexpr long double kGrew = 1.1L;
/// So many times as much is other work.
inline constexpr long double kMuchMore = 1.5L;
/// Terms cancel where their magnitudes are so many times their sum.
inline constexpr long double kCancelling = 2.5L;
/// So many times as often is a call that the other side hardly makes.
inline constexpr long double kFarMore = 10;
/// What differs so many times less in total than per call does not go by the calls.
inline constexpr long double kFixed = 4;
/// A term that only a split by callers makes counts so many times.
inline constexpr long double kFiction = 3;

// How many.

inline constexpr long double kFewest = 3;                   ///< causes, callers or functions that are several
inline constexpr long double kMany = 4;                     ///< terms that are many
inline constexpr long double kFewestFunctions = 2 * kMany;  ///< of an object that was built otherwise

// Inlined code.

/// An inlined body costs between these parts of what it cost as a function: less for the saved call, hardly ever more.
inline constexpr long double kLeastBody = 0.3L;
inline constexpr long double kMostBody = 1.25L;
/// A callee of this own cost per call is inlined without being asked for.
inline constexpr long double kSmallBody = 60;
/// A call with its arguments costs at most about this; where less than the other is saved, something took its place.
inline constexpr long double kCallOverhead = 12;
inline constexpr long double kBareCall = 1.5L;

}  // namespace icount
