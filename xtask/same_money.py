"""Plays shared strategies here and in crapssim on the same dice, and compares the money.

Run by `cargo xtask crapssim`: python same_money.py BOXMAN TAPES SEED. Each strategy is put together
from crapssim's single bets so that it says what the plan beside it says; the tables agree on every
rule they use:

- field pays double on 2 and 12 in both; place bets are off on the come-out, hardways are on;
- odds behind come bets are off on the come-out, those behind don't come bets work, which crapssim
  has to be told (`always_working`);
- amounts pay in whole dollars, so that neither table rounds;
- 100,000 dollars pay every ask.

`python same_money.py speed SECONDS` says how many rolls a second crapssim plays of pass-six-eight.
"""

import random
import re
import subprocess
import sys
import time

from crapssim.bet import Come, DontCome, Field
from crapssim.strategy import odds, single_bet
from crapssim.strategy.tools import AddIfPointOn, CountStrategy
from crapssim.table import Table

BANKROLL = 100_000
ROLLS = 200

line, dont = single_bet.BetPassLine(10), single_bet.BetDontPass(10)
pass_2x, come_2x = odds.PassLineOddsMultiplier(2), odds.ComeOddsMultiplier(2)
by_number = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}


def place(amounts, mode=single_bet.StrategyMode.ADD_IF_POINT_ON, skip_point=False):
    return single_bet.BetPlace(amounts, mode=mode, skip_point=skip_point)


def hardways():
    four, six, eight, ten = (single_bet.BetHardWay(number, 1) for number in (4, 6, 8, 10))
    return four + six + eight + ten


# The plan of that name in plans/, and what it is in crapssim.
SHARED = {
    "pass": line,
    "pass-2x": line + pass_2x,
    "pass-345": line + odds.PassLineOddsMultiplier(by_number),
    "dont-pass": dont,
    # Six times the flat bet wins three, four and five times as much.
    "dont-345": dont + odds.DontPassOddsMultiplier(6),
    "doey-dont": line + dont + pass_2x,
    "field": single_bet.BetField(10),
    "hardways": hardways(),
    "six-eight": place({6: 12, 8: 12}),
    "inside": place({5: 10, 6: 12, 8: 12, 9: 10}),
    "across": place({4: 10, 5: 10, 6: 12, 8: 12, 9: 10, 10: 10}),
    "pass-six-eight": line
    + pass_2x
    + place({6: 12, 8: 12}, mode=single_bet.StrategyMode.ADD_IF_NOT_BET),
    "iron-cross": line
    + pass_2x
    + place({5: 20, 6: 24, 8: 24}, skip_point=True)
    + AddIfPointOn(Field(10)),
    "come-every-roll": line + pass_2x + single_bet.BetCome(10) + come_2x,
    "three-point-molly": line
    + odds.PassLineOddsMultiplier(by_number)
    + CountStrategy(Come, 2, Come(10))
    + odds.ComeOddsMultiplier(by_number),
    "three-point-dolly": dont
    + odds.DontPassWinMultiplier(1)
    + CountStrategy(DontCome, 2, DontCome(10))
    + odds.DontComeWinMultiplier(1, always_working=True),
}


def there(strategy, dice):
    table = Table()
    player = table.add_player(BANKROLL, strategy)
    table.fixed_run(dice)
    return round(100 * player.total_player_cash)


def here(boxman, plan, dice):
    rolls = " ".join(f"{one}-{other}" for one, other in dice)
    args = [boxman, "plan", "play", plan, "--bankroll", str(BANKROLL), "--dice", rolls]
    played = subprocess.run(args, capture_output=True, text=True, check=True).stdout
    dollars, cents = re.findall(r"\$(\d+)\.(\d\d) in all", played)[-1]
    return 100 * int(dollars) + int(cents)


def main(boxman, tapes, seed):
    chance = random.Random(seed)
    throw = lambda: (chance.randint(1, 6), chance.randint(1, 6))
    apart = 0
    for plan, strategy in SHARED.items():
        differ = []
        for _ in range(tapes):
            dice = [throw() for _ in range(ROLLS)]
            ours, theirs = here(boxman, plan, dice), there(strategy, dice)
            if ours != theirs:
                differ.append(f"  {ours} cents here, {theirs} there, with {dice}")
        print(f"{plan}: {tapes - len(differ)} of {tapes} tapes end with the same money", flush=True)
        print("\n".join(differ[:1]), end="\n" if differ else "")
        apart += len(differ)
    return 1 if apart else 0


def speed(seconds):
    """Sessions of 500 rolls with its own dice, $1000 and no talk, for so many seconds of its own."""
    rolls, begun = 0, time.thread_time()
    while time.thread_time() - begun < seconds:
        table = Table()
        table.add_player(1_000, SHARED["pass-six-eight"])
        table.run(max_rolls=500, verbose=False)
        rolls += table.dice.n_rolls
    print(round(rolls / (time.thread_time() - begun)))
    return 0


if __name__ == "__main__":
    if sys.argv[1] == "speed":
        sys.exit(speed(int(sys.argv[2])))
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
