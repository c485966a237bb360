#!/usr/bin/env python3
"""test_comparison.py BENCH_DIR: tests the statistics and the options of bench/compare.

The statistics are tested on synthetic times with printed seeds.

A machine is a function that returns the times of all runs, one after the other, as if all programs were equal. A coin
decides which program has which run of a pair, as in bench/compare. THRONG_TEST_SEED chooses other times.
SPDX-License-Identifier: MIT
"""
import math
import os
import random
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv.pop(1))
from measure.compare import interval as statistics  # noqa: E402
from measure.compare import options  # noqa: E402
from measure.problem import Problem  # noqa: E402

SEED = int(os.environ.get("THRONG_TEST_SEED", "1"))
TRIALS = 500


def quiet(rng, runs):
    return [math.exp(rng.gauss(0, 0.005)) for _ in range(runs)]


def spikes(rng, runs):
    """Three of ten runs are slower, by 20 % on average."""
    return [math.exp(abs(rng.gauss(0, 0.005)) + (rng.expovariate(5) if rng.random() < 0.3 else 0)) for _ in range(runs)]


def drift(rng, runs):
    """Each run takes 1 % longer than the run before, and the speed also drifts at random."""
    total, times = 0, []
    for _ in range(runs):
        total += rng.gauss(0.01, 0.02)
        times.append(math.exp(total + rng.gauss(0, 0.005)))
    return times


def phases(rng, runs):
    """Other work makes several runs in a row 15 % slower."""
    busy, times = False, []
    for _ in range(runs):
        busy ^= rng.random() < 0.15
        times.append(math.exp(0.15 * busy + rng.gauss(0, 0.005)))
    return times


def every_fourth(rng, runs):
    """Other work makes the second and third of four runs slower. Without a coin one side would have them all."""
    return [math.exp(0.05 * (k % 4 in (1, 2)) + rng.gauss(0, 0.005)) for k in range(runs)]


def second_slower(rng, runs):
    """The second run of a pair is slower than the first."""
    return [math.exp(0.02 * (k % 2) + rng.gauss(0, 0.005)) for k in range(runs)]


MACHINES = (quiet, spikes, drift, phases, every_fourth, second_slower)


def measure(machine, pairs, ratio, seed):
    """Returns the times of OLD and NEW, where NEW takes `ratio` times as long as OLD."""
    rng = random.Random(seed)
    times, old, new = machine(rng, 2 * pairs), [], []
    for first, second in zip(times[::2], times[1::2]):
        a, b = (first, second) if rng.randrange(2) == 0 else (second, first)
        old.append(a)
        new.append(b * ratio)
    return old, new


def trials(machine, pairs, ratio):
    """Yields an interval for each of TRIALS comparisons."""
    for trial in range(TRIALS):
        yield statistics.ratio_interval(*measure(machine, pairs, ratio, f"{SEED} {machine.__name__} {pairs} {trial}"))


class TestInterval(unittest.TestCase):
    # At most 1 of 20 in the long run. 500 trials of that rate stay below 8 % (three standard deviations).
    MOST = 0.08

    def test_equal_programs_differ_in_at_most_1_of_20(self):
        for machine in MACHINES:
            for pairs in (6, 15, 40):
                wrong = sum(map(statistics.differs, trials(machine, pairs, 1))) / TRIALS
                print(f"{machine.__name__:14} {pairs:3} pairs, equal: differ in {100 * wrong:.1f} %")
                self.assertLessEqual(wrong, self.MOST, f"{machine.__name__}, {pairs} pairs")

    def test_stopping_at_a_precision_keeps_that_rate(self):
        self.assertEqual(statistics.looks_until(8, 40), [8, 16, 32, 40])
        looks = statistics.looks_until(8, 256)
        for machine in (drift, every_fourth, second_slower):
            wrong = 0
            for trial in range(TRIALS):
                old, new = measure(machine, looks[-1], 1, f"{SEED} {machine.__name__} stop {trial}")
                for pairs in looks:
                    i = statistics.ratio_interval(old[:pairs], new[:pairs], looks=len(looks))
                    if statistics.half_width(i) <= 0.01:
                        break
                wrong += statistics.differs(i) / TRIALS
            print(f"{machine.__name__:14} until ±1 %, equal: differ in {100 * wrong:.1f} %")
            self.assertLessEqual(wrong, self.MOST, machine.__name__)

    def test_the_interval_has_the_true_ratio_in_19_of_20(self):
        for machine in MACHINES:
            missed = sum(not i.low <= 1.01 <= i.high for i in trials(machine, 15, 1.01)) / TRIALS
            self.assertLessEqual(missed, self.MOST, machine.__name__)

    def test_1_per_cent_is_seen_with_enough_pairs(self):
        for machine, pairs in ((quiet, 30), (spikes, 100), (phases, 60)):
            for ratio in (1.01, 1 / 1.01):
                seen = sum(statistics.differs(i) and (i.ratio > 1) == (ratio > 1)
                           for i in trials(machine, pairs, ratio)) / TRIALS
                print(f"{machine.__name__:14} {pairs:3} pairs, {ratio:.3f}: seen in {100 * seen:.1f} %")
                self.assertGreaterEqual(seen, 0.9, machine.__name__)

    def test_the_number_of_pairs_to_see_1_per_cent_sees_it(self):
        """The estimate of an interval that is too wide is about right, and then nine of ten comparisons see 1 %."""
        needed = [statistics.pairs_to_see_one_per_cent(i, 12) for i in trials(quiet, 12, 1)]
        pairs = sorted(needed)[TRIALS // 2]
        seen = sum(map(statistics.differs, trials(quiet, pairs, 1.01))) / TRIALS
        print(f"{pairs} pairs are said to see 1 %: they do in {100 * seen:.1f} %")
        self.assertGreaterEqual(seen, 0.85)
        self.assertLessEqual(pairs, 60)

    def test_equal_times_are_no_difference(self):
        i = statistics.ratio_interval([3.0] * 6, [3.0] * 6)
        self.assertEqual((i.ratio, i.low, i.high), (1, 1, 1))
        self.assertEqual(statistics.verdict(i, 6), "no difference seen (±0.0 %)")

    def test_the_ranks_are_those_of_the_sign_test(self):
        """Conover, table A3: with n pairs, the k-th smallest and the k-th largest ratio; 0 means that no k will do."""
        self.assertEqual([statistics.interval_rank(n) for n in (5, 6, 8, 9, 15, 20, 25)], [0, 1, 1, 2, 4, 6, 8])
        i = statistics.ratio_interval([1.0] * 5, [2.0] * 5)
        self.assertEqual((i.ratio, i.low, i.high), (2, 0, math.inf))
        self.assertFalse(statistics.differs(i))

    def test_exchanging_the_sides_inverts_the_interval(self):
        for trial in range(50):
            old, new = measure(spikes, 8, 1.02, f"{SEED} {trial}")
            there, back = statistics.ratio_interval(old, new), statistics.ratio_interval(new, old)
            for a, b in ((there.ratio, back.ratio), (there.low, back.high), (there.high, back.low)):
                self.assertAlmostEqual(a * b, 1, 12)

    def test_every_comparison_ends_with_an_interval(self):
        for pairs in range(statistics.MIN_PAIRS, 40):
            for most in range(pairs, 200):
                looks = statistics.looks_until(pairs, most)
                self.assertGreater(statistics.interval_rank(looks[-1], len(looks)), 0, looks)

    def test_rounded_times_widen_the_interval(self):
        """Times that are rounded up to steps of 0.8 % cannot prove a difference of 0.1 %."""
        old, new = [1.0] * 20, [1 + 1 / 128] * 20  # 1 and 1.001, rounded
        i = statistics.ratio_interval(old, new, (1 / 128, 1 / 128))
        self.assertFalse(statistics.differs(i))
        self.assertLessEqual(i.low, 1.001)
        self.assertIn("times rounded by up to 0.8 %: they cannot show 1 %", statistics.verdict(i, 20))
        fine = statistics.ratio_interval([1.0] * 20, [1.01] * 20, (1 / 1024, 1 / 1024))
        self.assertTrue(statistics.differs(fine))

    def test_verdicts(self):
        def verdict(low, ratio, high, pairs=10):
            return statistics.verdict(statistics.Interval(ratio, low, high, 0), pairs)

        self.assertEqual(verdict(0.996, 1.001, 1.0055), "no difference seen (±0.6 %)")
        self.assertEqual(verdict(0.99, 1.001, 1.01),
                         "no difference seen (±1.0 %); too few pairs to see 1 %: about 41 are needed")
        self.assertEqual(verdict(0.5, 1, 2),
                         "no difference seen (±100.0 %); too few pairs to see 1 %: more than 200 are needed")
        self.assertEqual(verdict(1.012, 1.0234, 1.0311), "slower: 1.023 (1.012 to 1.031)")
        self.assertEqual(verdict(1.00004, 1.004, 1.022), "slower: 1.00400 (1.00004 to 1.02200)")
        self.assertEqual(verdict(0.77, 0.794, 0.797), "faster: 0.794 (0.770 to 0.797)")


class TestOptions(unittest.TestCase):
    def parse(self, *arguments):
        return options.parse(["a", "b", *arguments], "")

    def test_values(self):
        o = self.parse("--pairs=7", "--isa", "avx2,neon", "--precision", "0.5%", "--fail-above=1.01", "--seed", "3",
                       "--", "--frames", "5", "--dt=0.1")
        self.assertEqual((o.OLD, o.NEW, o.pairs, o.max_pairs, o.seed, o.fail_above), ("a", "b", 7, 200, 3, 1.01))
        self.assertEqual((o.isa, o.threads), (["avx2", "neon"], ["1"]))
        self.assertEqual(o.scenes, ["flock2", "flock3", "crowd2", "clump2"])
        self.assertAlmostEqual(o.precision, 0.005)
        self.assertEqual(o.run_options, ["--frames", "5", "--dt=0.1"])
        self.assertEqual(self.parse("--pairs", "300").max_pairs, 300)
        self.assertNotEqual(self.parse().seed, self.parse().seed)

    def test_errors_name_option_value_and_what_is_allowed(self):
        counts, percentages = "a whole number from 6 to 10000", "a percentage from 0.01% to 100%, such as 1%"
        listing, known = "a list with commas, without empty parts", "allowed are those of bench/compare --help"
        for arguments, text in (
                (["c"], f"unknown option 'c', {known}"),
                (["--pair", "7"], f"unknown option '--pair', {known}"),
                (["--pairs"], "option '--pairs': no value"),
                (["--pairs", "5"], f"option '--pairs': value '5', allowed {counts}"),
                (["--pairs", "x"], f"option '--pairs': value 'x', allowed {counts}"),
                (["--max-pairs", "10001"], f"option '--max-pairs': value '10001', allowed {counts}"),
                (["--threads", "1,x"], "option '--threads': value 'x', allowed a whole number from 0 to 1024"),
                (["--scenes", "flock2,"], f"option '--scenes': value 'flock2,', allowed {listing}"),
                (["--isa="], f"option '--isa': value '', allowed {listing}"),
                (["--precision", "1"], f"option '--precision': value '1', allowed {percentages}"),
                (["--precision", "0%"], f"option '--precision': value '0%', allowed {percentages}"),
                (["--fail-above", "0.9"], "option '--fail-above': value '0.9', allowed a number from 1 to 100"),
                (["--fail-above", "nan"], "option '--fail-above': value 'nan', allowed a number from 1 to 100"),
                (["--seed=-1"], f"option '--seed': value '-1', allowed a whole number from 0 to {2 ** 53}"),
                (["--out="], "option '--out': value '', allowed a folder to write to"),
                (["--", "--isa=avx2"],
                 "options after '--': value '--isa=avx2', allowed --isa before '--', with a list"),
                (["--", "--out", "a"],
                 "options after '--': value '--out', allowed an option that bench/compare does not set itself")):
            with self.assertRaises(Problem) as raised:
                self.parse(*arguments)
            self.assertEqual((str(raised.exception), raised.exception.status), (text, 2))


if __name__ == "__main__":
    print(f"test_comparison: THRONG_TEST_SEED={SEED}")
    unittest.main()
