"""The modules of bench/compare and bench/scaling. Both commands use the files of this folder. The folders compare/ and
scaling/ have what only one of them uses.

SPDX-License-Identifier: MIT
"""
