// The weights of the judgement: what counts as nearly all, as much, as little, as the same. Relations and prices use
// these and no numbers of their own; `scripts/bench weights` shows for each which pairs with a known cause change when
// it moves by a fifth. docs/explaining_diff.md has the table.
#pragma once

#ifdef ICOUNT_MOVABLE_WEIGHTS  // of scripts/bench weights alone

#include <string_view>
#include <vector>

namespace icount {

class Weight {
 public:
  Weight(long double value, std::string_view name) : value_(value), name_(name) { all().push_back(this); }
  operator long double() const { return value_; }
  std::string_view name() const { return name_; }
  long double& value() { return value_; }
  static std::vector<Weight*>& all() {
    static std::vector<Weight*> weights;
    return weights;
  }

 private:
  long double value_;
  std::string_view name_;
};

}  // namespace icount

#define ICOUNT_WEIGHT(name, value) inline Weight name(value, #name)
#else
#define ICOUNT_WEIGHT(name, value) inline constexpr long double name = value
#endif

namespace icount {

// Parts of a whole.

/// Half of it is a bound that is not weighed.
inline constexpr long double kHalf = 0.5L;
/// Nearly all of it: the rest is not worth a word.
ICOUNT_WEIGHT(kNearlyAll, 0.9L);
/// So much of what changed about a function is its own cost: it grew as a whole.
ICOUNT_WEIGHT(kMostlyOwn, 0.7L);
/// With so much of a sum one term says it alone.
ICOUNT_WEIGHT(kMostOfIt, 0.6L);
/// So much of the change leads it.
ICOUNT_WEIGHT(kLeads, 0.4L);
/// A part that must be told: of two that cancel, of a function's functions, of a new call.
ICOUNT_WEIGHT(kMatters, 0.25L);
/// A part that may decide, beside the largest.
ICOUNT_WEIGHT(kSomePart, 0.2L);
/// A part that is named.
ICOUNT_WEIGHT(kPart, 0.1L);
/// A part that does not decide.
ICOUNT_WEIGHT(kLittle, 0.05L);
/// Figures that differ by no more are the same.
ICOUNT_WEIGHT(kSame, 0.02L);
/// What is less is not looked at, and prices that differ by less are one.
ICOUNT_WEIGHT(kHardly, 0.01L);

// How many times.

/// More than this part of a change is half of something else.
ICOUNT_WEIGHT(kTooMuch, 1.6L);
/// What became so many times as much grew; magnitudes of so many times their sum go one way.
ICOUNT_WEIGHT(kGrew, 1.1L);
/// So many times as much is other work.
ICOUNT_WEIGHT(kMuchMore, 1.5L);
/// Terms cancel where their magnitudes are so many times their sum.
ICOUNT_WEIGHT(kCancelling, 2.5L);
/// So many times as often is a call that the other side hardly makes.
ICOUNT_WEIGHT(kFarMore, 10);
/// What differs so many times less in total than per call does not go by the calls.
ICOUNT_WEIGHT(kFixed, 4);
/// A term that only a split by callers makes counts so many times.
ICOUNT_WEIGHT(kFiction, 3);

// How many.

ICOUNT_WEIGHT(kFewest, 3);           ///< causes, callers or functions that are several
ICOUNT_WEIGHT(kMany, 4);             ///< terms that are many
ICOUNT_WEIGHT(kFewestFunctions, 8);  ///< of an object that was built otherwise

// Inlined code.

/// An inlined body costs between these parts of what it cost as a function: less for the saved call, hardly ever more.
ICOUNT_WEIGHT(kLeastBody, 0.3L);
ICOUNT_WEIGHT(kMostBody, 1.25L);
/// A callee of this own cost per call is inlined without being asked for.
ICOUNT_WEIGHT(kSmallBody, 60);
/// A call with its arguments costs at most about this; where less than the other is saved, something took its place.
ICOUNT_WEIGHT(kCallOverhead, 12);
ICOUNT_WEIGHT(kBareCall, 1.5L);

}  // namespace icount
