"""The statistics of bench/compare: from pairs of times to a ratio, its interval and a verdict.

A pair is two runs, one after the other: one of OLD and one of NEW. A coin decides which runs first. So if both programs
take the same time, each pair's ratio is as likely above 1 as below, independently of all others, whatever the machine
does: a drift, spikes, or other work that slows several runs in a row. The number of ratios above 1 then has a binomial
distribution. The interval of the median ratio is made from it (Conover, Practical Nonparametric Statistics, 3.2): it
reaches from the k-th smallest ratio to the k-th largest. A median does not notice how large a spike is.

throng-run rounds times up to a step, such as 1.001. The interval is wider by that.

A bootstrap over so few pairs gives intervals that are too narrow: with 7 to 31 pairs, 95 % intervals of the median
ratio missed it in 5 to 14 of 100 simulated comparisons. The signed-rank test keeps its level. Among spikes its
intervals are 1.5 to 2.3 times as wide with 15 to 31 pairs; on a quiet machine they are 0.77 times as wide.

SPDX-License-Identifier: MIT
"""
import collections
import math
import statistics

LEVEL = 0.95  # of the interval
MIN_PAIRS = 6  # with fewer pairs, even the interval from the smallest to the largest ratio has a lower level
ONE_PER_CENT = 0.005  # an interval of this half width shows a difference of 1 % in nine of ten comparisons

# ratio: the median of new / old. low, high: its interval. step: the part of its half width that comes from rounding.
Interval = collections.namedtuple("Interval", "ratio low high step")


def looks_until(pairs, most):
    """Returns the numbers of pairs after which a comparison may stop: twice as many each time, until `most`."""
    looks = [pairs]
    while looks[-1] < most:
        looks.append(min(most, 2 * looks[-1]))
    return looks


def interval_rank(pairs, looks=1):
    """Returns the rank k of the interval's ends: the k-th smallest and the k-th largest ratio.

    k is the largest rank for which both ends together miss the median with a probability of at most 1 - LEVEL, or 0. A
    comparison that stops when the interval looks narrow stops at lucky moments. So that probability is divided by the
    number of looks: then all of them together miss the median as rarely.
    """
    k, missed = 0, 0
    while 2 * looks * (missed + math.comb(pairs, k)) <= (1 - LEVEL) * 2 ** pairs:
        missed += math.comb(pairs, k)
        k += 1
    return k


def ratio_interval(old, new, steps=(0, 0), looks=1):
    """Returns the Interval of new / old. old[i] and new[i] are the times of pair i.

    The steps are those of old and new, as fractions: a true time t was rounded to a time from t to t * (1 + step).
    With too few pairs for the level the interval has no ends.
    """
    ratios = sorted(b / a for a, b in zip(old, new))
    # The middle of two ratios is their geometric mean: then old / new gives the inverse of new / old.
    middle = math.exp(statistics.median(math.log(ratio) for ratio in ratios))
    rounding = math.sqrt((1 + steps[0]) * (1 + steps[1])) - 1
    k = interval_rank(len(ratios), looks)
    if k == 0:
        return Interval(middle, 0, math.inf, rounding)
    return Interval(middle, ratios[k - 1] / (1 + steps[1]), ratios[-k] * (1 + steps[0]), rounding)


def half_width(interval):
    """Returns half the width of an interval, as a fraction: 0.01 means from about 1 % below to 1 % above."""
    return math.sqrt(interval.high / interval.low) - 1 if interval.low > 0 else math.inf


def differs(interval):
    """Whether the interval proves that one program is slower."""
    return not interval.low <= 1 <= interval.high


def sees_one_per_cent(interval):
    """Whether the interval is so narrow that a difference of 1 % would most likely have been seen."""
    return half_width(interval) <= ONE_PER_CENT


def pairs_to_see_one_per_cent(interval, pairs):
    """Estimates how many pairs would see a difference of 1 %; None if the rounding prevents it.

    The width falls with the root of the number of pairs, except for the part that comes from rounding.
    """
    if interval.step >= ONE_PER_CENT:
        return None
    return math.ceil(pairs * ((half_width(interval) - interval.step) / (ONE_PER_CENT - interval.step)) ** 2)


def verdict(interval, pairs):
    """Returns the verdict as a text."""
    if differs(interval):
        word = "slower" if interval.ratio > 1 else "faster"
        # So many digits that neither end looks like 1.
        digits = next((d for d in range(3, 9) if 1 not in (round(interval.low, d), round(interval.high, d))), 9)
        ratio, low, high = (f"{value:.{digits}f}" for value in interval[:3])
        return f"{word}: {ratio} ({low} to {high})"
    text = f"no difference seen (±{100 * max(1 - interval.low, interval.high - 1):.1f} %)"
    if sees_one_per_cent(interval):
        return text
    needed = pairs_to_see_one_per_cent(interval, pairs)
    if needed is None:
        return f"{text}; times rounded by up to {100 * interval.step:.1f} %: they cannot show 1 %"
    about = f"about {needed}" if needed <= 20 * pairs else f"more than {20 * pairs}"
    return f"{text}; too few pairs to see 1 %: {about} are needed"
