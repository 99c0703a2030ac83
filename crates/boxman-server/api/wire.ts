// The JSON of the live API, written out by the tests. Amounts are whole cents.

/**
 * Something that ended a betting round before a command for it arrived.
 */
export type Came = {
/**
 * The number of its record, and of the round that it began.
 */
record: number,
/**
 * `rolled`, `voided`, `corrected`, `no-roll`, `dice-passed` or `configured`.
 */
what: string,
/**
 * The dice it is about, if it is about any.
 */
dice: string | null,
/**
 * Who asked for it: compare with `GET /api/me`.
 */
by: string,
/**
 * Their name at tables.
 */
name: string | null,
/**
 * When, in milliseconds since 1970.
 */
at: number, };

/**
 * A problem detail (RFC 9457) with the refusal's stable code.
 */
export type Problem = {
/**
 * `about:blank`: the code says it all.
 */
type: string,
/**
 * The HTTP status.
 */
status: number,
/**
 * The stable code: a refusal's own, or one of the server's.
 */
code: string,
/**
 * A sentence for people.
 */
detail: string,
/**
 * How many seconds to wait before another try, where that is known.
 */
retry_after?: number,
/**
 * The table's present betting round, where the command meant another or named none.
 */
round?: number,
/**
 * What has happened since the moment that a command was meant for, oldest first.
 */
came?: Array<Came>,
/**
 * What has changed since the state that a command was meant for, line by line.
 */
lines?: Array<Line>,
/**
 * What keeps a table from being closed for good, and what to do about each.
 */
remains?: Array<Remains>, };

/**
 * What somebody is at the house. An account may have several roles; a guest is a player at
 * practice tables only.
 */
export type Role = "guest" | "player" | "dealer" | "supervisor" | "auditor" | "administrator";

/**
 * A guest's name.
 */
export type Guest = {
/**
 * The name to play under.
 */
name: string, };

/**
 * A name and a password.
 */
export type Login = {
/**
 * The name to log in with.
 */
name: string,
/**
 * Its password.
 */
password: string, };

/**
 * The one-time link, and the account to be made with it.
 */
export type Redeem = {
/**
 * The secret at the end of the link.
 */
link: string,
/**
 * The name to log in with: 2 to 24 lower-case letters, digits and full stops.
 */
name: string,
/**
 * Its password: 10 characters or more.
 */
password: string,
/**
 * The name shown at tables, another than the one to log in with; one is made up where it is
 * left out.
 */
table_name?: string | null, };

/**
 * Who somebody is.
 */
export type Me = {
/**
 * What stands for them at tables and in logs: `p-ID`, or `guest-ID`.
 */
person: string,
/**
 * The name shown at tables.
 */
name: string,
/**
 * The name they log in with, which others are not shown; guests have none.
 */
login: string | null,
/**
 * What they may do.
 */
roles: Array<Role>,
/**
 * The token, for programs that send it as a bearer; browsers have it as a cookie. Shown
 * once, when it is made.
 */
token?: string, };

/**
 * An account, as administrators see it.
 */
export type AccountView = {
/**
 * What stands for them at tables and in logs: `p-ID`.
 */
person: string,
/**
 * The name they log in with.
 */
name: string,
/**
 * The name shown at tables.
 */
table_name: string,
/**
 * What they may do.
 */
roles: Array<Role>, };

/**
 * An account to be made.
 */
export type MakeAccount = {
/**
 * The name to log in with: 2 to 24 lower-case letters, digits and full stops.
 */
name: string,
/**
 * The name shown at tables, another than the one to log in with; one is made up where it is
 * left out.
 */
table_name?: string | null,
/**
 * Its password: 10 characters or more.
 */
password: string,
/**
 * What it may do.
 */
roles: Array<Role>, };

/**
 * What shall be different about an account.
 */
export type ChangeAccount = {
/**
 * What it may do from now on; its sessions end.
 */
roles?: Array<Role> | null,
/**
 * Its new password; its sessions end.
 */
password?: string | null,
/**
 * The name shown at tables, from the next time they sit down.
 */
table_name?: string | null, };

/**
 * What somebody changes about themselves.
 */
export type ChangeMe = {
/**
 * The name shown at tables, from the next time they sit down, or have a table call them so
 * (`rename`).
 */
table_name: string, };

/**
 * What somebody has played.
 */
export type MyPlay = {
/**
 * Every sitting that is kept, the latest first.
 */
sessions: Array<PlaySession>, };

/**
 * One sitting.
 */
export type PlaySession = {
/**
 * The name it was kept under.
 */
id: string,
/**
 * When it was kept last, in milliseconds since 1970.
 */
at: number,
/**
 * What the browser counted.
 */
session: { [key: string]: unknown }, };

/**
 * Everything an operator chooses about a table, in one piece.
 */
export type TableConfig = {
/**
 * The name on the lobby's list.
 */
name: string,
/**
 * The rulebooks, each with the paytables on offer after a colon, as `--rules` takes them.
 */
rules: Array<string>,
/**
 * Options of those rulebooks, such as `payout-unit` or `hard.come-out`.
 */
options: { [key in string]: string },
/**
 * Limits by wager, where the house has its own.
 */
limits: { [key in string]: WagerLimits },
/**
 * Who throws the dice.
 */
dice: DiceMode,
/**
 * Play money: guests may sit down and buy in by themselves.
 */
practice: boolean,
/**
 * Betting closes by itself so many seconds after it opened and somebody can shoot.
 */
betting_seconds: number | null,
/**
 * Jackpots are paid only when a supervisor has confirmed the claim: so at real tables unless
 * it is false, never at practice tables.
 */
confirm_jackpots?: boolean | null,
/**
 * Awards of a side bet above this wait to be confirmed the same way, at real tables: $5,000
 * where it is left out.
 */
confirm_over?: number | null,
/**
 * Whether bets are taken and dice thrown while something waits to be confirmed.
 */
betting_during_claims?: boolean,
/**
 * The limit of fills, of credits and of cash-outs, each by itself, where they have none of
 * their own: $10,000 if it is left out. At a table of procedures 0, fills, credits, buy-ins
 * and cash-outs that bring the sum of all four above this take two people.
 */
two_people_over?: number | null,
/**
 * Fills that bring the table's sum of the day above this take two people.
 */
fills_over?: number | null,
/**
 * Credits that bring the table's sum of the day above this take two people.
 */
credits_over?: number | null,
/**
 * Cash-outs that bring a player's sum of the day at this table above this take two people.
 */
cash_outs_over?: number | null,
/**
 * The crew is asked for the identity of a player whose cash buy-ins of the day, over all
 * tables, come to more than this: $10,000 if it is left out.
 */
cash_over?: number | null,
/**
 * The same for buy-ins with markers, which are summed apart.
 */
markers_over?: number | null,
/**
 * Whether a buy-in above `cash_over` or `markers_over` waits for a second person.
 */
hold_buy_ins?: boolean,
/**
 * How many may sit down.
 */
seats: number,
/**
 * Meters shared with other tables, by paytable; other paytables have a meter of their own.
 */
meters: { [key in string]: string },
/**
 * Those of them that are opened with the table if they do not exist yet. At a real table of
 * today's procedures any other name that no meter has is refused as `unknown-meter`.
 */
new_meters?: Array<string>,
/**
 * A real table opens though a meter starts at nothing or never grows.
 */
empty_meters: boolean,
/**
 * Which dealing procedures a real table follows. 0: those of tables opened before there were
 * rounds, a tray and work lists. 1: today's. The house fills it in when a table opens; a
 * configuration that leaves it out keeps what the table has, and one that says 1 takes
 * today's.
 */
procedures?: number,
/**
 * Whether the last roll is paid before betting opens again: so at real tables of today's
 * procedures unless it is false, never at practice tables.
 */
paying?: boolean | null, };

/**
 * Who throws the dice.
 */
export type DiceMode = "house" | "dealer";

/**
 * Limits of one wager; what is left out is as the rulebook has it. Cents.
 */
export type WagerLimits = {
/**
 * The least.
 */
min: number | null,
/**
 * The most.
 */
max: number | null,
/**
 * The step.
 */
unit: number | null, };

/**
 * What has a limit of its own for each day at a real table of today's procedures.
 */
export type LimitKind = "fills" | "credits" | "cash-outs" | "cash" | "markers";

/**
 * A table on the lobby's list.
 */
export type TableLine = {
/**
 * Its name in addresses.
 */
id: string,
/**
 * Its name.
 */
name: string,
/**
 * The rulebooks.
 */
rules: Array<string>,
/**
 * Play money.
 */
practice: boolean,
/**
 * `running`, `paused` or `closed`; `damaged` where it cannot be played on, `silent` where it
 * does not answer at the moment.
 */
status: string,
/**
 * How many sit at it.
 */
players: number,
/**
 * How many look on; none are told of a real table.
 */
looking_on: number,
/**
 * How many may.
 */
seats: number,
/**
 * The point; none while the puck is OFF.
 */
puck: number | null,
/**
 * The numbers it can lie on.
 */
points: Array<number>,
/**
 * The least on the pass line, in cents.
 */
minimum: number | null,
/**
 * The most.
 */
maximum: number | null,
/**
 * Whether bets are taken.
 */
betting: boolean,
/**
 * The last rolls, newest last.
 */
recent: Array<string>,
/**
 * How many rolls the hand has had.
 */
hand_rolls: number,
/**
 * Who has the dice; nobody at a real table.
 */
shooter: string | null,
/**
 * The side bets, as people call them.
 */
sides: Array<string>,
/**
 * Its meters.
 */
meters: Array<LobbyMeter>,
/**
 * What its operator should not overlook.
 */
warnings: Array<string>,
/**
 * What is wrong with it.
 */
problem: Problem | null,
/**
 * When it was closed for good, and by whom: on the list of closed tables only.
 */
closed?: ClosedView, };

/**
 * A meter on the lobby's list.
 */
export type LobbyMeter = {
/**
 * The paytable it serves.
 */
paytable: string,
/**
 * The wager it is won on, as people call it.
 */
title: string,
/**
 * What it shows, in cents.
 */
amount: number, };

/**
 * When a table was closed, and by whom.
 */
export type ClosedView = {
/**
 * When it was opened, in milliseconds since 1970.
 */
opened: number,
/**
 * When it was closed.
 */
at: number,
/**
 * The record that closed it.
 */
seq: number,
/**
 * Who closed it, or agreed to it; `boxman` is the house itself.
 */
by: string,
/**
 * The name they had at tables then, where the record tells it.
 */
name: string | null,
/**
 * Who had asked for it, where two people closed it.
 */
asked_by: string | null, };

/**
 * What the lobby's socket says.
 */
export type FromLobby = { "type": "lobby",
/**
 * The tables.
 */
tables: Array<TableLine>, } | { "type": "table",
/**
 * The table.
 */
table: TableLine, } | { "type": "gone",
/**
 * Its name in addresses.
 */
id: string, };

/**
 * A table, whole.
 */
export type TableView = {
/**
 * Its name in addresses.
 */
id: string,
/**
 * How much of it you see: at a real table strangers see no seats, names or payouts.
 */
sight: Sight,
/**
 * The last record it includes.
 */
seq: number,
/**
 * How it is set up.
 */
config: TableConfig,
/**
 * The hash of its rules.
 */
rules: string,
/**
 * Every wager on offer, in the order of the rulebooks.
 */
wagers: Array<WagerView>,
/**
 * The most some wagers may win together, as the house posts it.
 */
cap: string | null,
/**
 * Who sits at it; none for strangers.
 */
seats: Array<SeatView>,
/**
 * What everybody shares.
 */
hand: HandView,
/**
 * The last rolls, newest last.
 */
recent: Array<string>,
/**
 * Its meters.
 */
meters: Array<MeterView>,
/**
 * What its operator should not overlook: a sentence for each meter that is no jackpot, and
 * for each wager that favours the player with its meter at the seed.
 */
warnings: Array<string>, };

/**
 * How much of a table somebody sees.
 */
export type Sight = "table" | "stranger";

/**
 * A wager in words.
 */
export type WagerView = {
/**
 * Its name on the felt.
 */
wager: string,
/**
 * Its name in a sentence.
 */
title: string,
/**
 * How its spots are written.
 */
spots: Array<string>,
/**
 * How it is decided: by one roll, one event before another, the line, odds behind it, or
 * with a progress that the table keeps.
 */
kind: "one-roll" | "race" | "line" | "odds" | "tracked",
/**
 * The numbers it is bet on; for the line and its odds those that the puck can mark.
 */
numbers: Array<number>,
/**
 * The pairs of faces that it wins on, where it is bet on faces: a hop.
 */
faces: Array<[number, number]>,
/**
 * What it pays, line by line.
 */
pays: Array<PayView>,
/**
 * The total of its first roll that pushes where it would have won.
 */
bar: number | null,
/**
 * What wins.
 */
wins: string,
/**
 * What loses.
 */
loses: string,
/**
 * When it may be bet and taken down.
 */
when: string,
/**
 * The paytable it is paid by.
 */
paytable: string | null,
/**
 * The least, in cents.
 */
min: number,
/**
 * The most, where there is a bound of its own.
 */
max: number | null,
/**
 * The step.
 */
unit: number,
/**
 * Where its lammers lie, for a wager whose progress the table keeps.
 */
board: BoardView | null,
/**
 * The most it may win together with others, where the house has posted that.
 */
cap: string | null, };

/**
 * One line of what a wager pays.
 */
export type PayView = {
/**
 * What it is for, as written on the felt: `4 10`; empty where it is the same for all.
 */
on: string,
/**
 * The totals or rungs it is for; empty where it is the same for all, or for pairs of faces.
 */
numbers: Array<number>,
/**
 * What the player is paid: `9 to 5`.
 */
pays: string,
/**
 * What the dealers are paid.
 */
envy: string | null, };

/**
 * The board of a side bet: what it takes, and what each step of it pays.
 */
export type BoardView = {
/**
 * `collect` every number, `distinct` numbers until one repeats, a `count` of whatever comes,
 * or a `sequence` to follow.
 */
shape: "collect" | "distinct" | "count" | "sequence",
/**
 * The numbers it takes; none where it takes something else.
 */
numbers: Array<number>,
/**
 * The sequences it follows, one or the other; none where their steps are more than totals.
 */
sequences: Array<Array<number>>,
/**
 * The lists it follows in words, one or the other.
 */
lists: Array<string>,
/**
 * What it pays, the most first.
 */
rungs: Array<RungView>,
/**
 * Whether its lammers lie on the Bonus Craps circles and not on a board of their own.
 */
on_bonus: boolean, };

/**
 * One award of a side bet.
 */
export type RungView = {
/**
 * How many numbers or rolls it takes, the fewest where several pay alike; 0 where it goes by
 * something else.
 */
rung: number,
/**
 * What it is for in words: `9`, `8-15`, `51+`, `4 10: 3 times`, or the name of a list.
 */
on: string,
/**
 * What the player is paid.
 */
pays: string,
/**
 * Whether that is the meter, or a share of it.
 */
meter: boolean,
/**
 * What the dealers are paid.
 */
envy: string | null, };

/**
 * Somebody at the table.
 */
export type SeatView = {
/**
 * Where.
 */
seat: number,
/**
 * The name; none where the seat has become free.
 */
name: string | null,
/**
 * Who plays it from a browser: compare with `GET /api/me`.
 */
person: string | null,
/**
 * Chips off the layout.
 */
rack: number,
/**
 * Chips on the layout.
 */
bets: Array<BetView>, };

/**
 * A bet.
 */
export type BetView = {
/**
 * Where.
 */
wager: string,
/**
 * How much.
 */
stake: number,
/**
 * Commission paid and not yet earned.
 */
vig: number,
/**
 * What the player called: `house`, `on` or `off`.
 */
call: "house" | "on" | "off",
/**
 * Whether the next roll can decide it.
 */
working: boolean, };

/**
 * What everybody at a table shares.
 */
export type HandView = {
/**
 * `running`, `paused` or `closed`.
 */
status: "running" | "paused" | "closed",
/**
 * Whether bets are taken: not while the dice are out, nor while a claim waits.
 */
betting: boolean,
/**
 * `open`, `closed` while the dice are out, or `paying` while the crew pays the last roll.
 */
phase: "open" | "closed" | "paying",
/**
 * The betting round: the number of the record that began it. Commands that depend on the
 * moment name it.
 */
round: number,
/**
 * The record of the last roll, while it counts; not for strangers.
 */
last_roll: number | null,
/**
 * The house's chips at the table; not for strangers, nor at practice tables.
 */
tray: number | null,
/**
 * How many chips the tray is short of, while that keeps bets closed; not for strangers.
 */
fill_needed: number | null,
/**
 * When betting closes by itself, in milliseconds since 1970.
 */
closes_at: number | null,
/**
 * The point; none while the puck is OFF.
 */
puck: number | null,
/**
 * How many sit at the table.
 */
players: number,
/**
 * Who has the dice.
 */
shooter: number | null,
/**
 * How many rolls have counted.
 */
rolls: number,
/**
 * How many of them belong to this hand.
 */
hand_rolls: number,
/**
 * The house's commitment to the next roll.
 */
commitment: string | null,
/**
 * Where the lammers lie.
 */
trackers: Array<TrackerView>,
/**
 * What was won and is neither paid nor denied yet.
 */
claims: Array<ClaimView>,
/**
 * What waits for a second person; none for strangers.
 */
proposals: Array<ProposalView>,
/**
 * Whether another configuration waits for a come-out with nothing on the layout.
 */
change_waits: boolean,
/**
 * The number of the configuration that waits, or else of the one in force: of the record that
 * set it. Whoever asks for another one names it.
 */
configuration: number,
/**
 * What keeps the house from throwing while betting is open; none where nothing does.
 */
dice_wait: DiceWait | null, };

/**
 * What the dice wait for while betting is open.
 */
export type DiceWait = "line-bet" | "window";

/**
 * The lammers of one side bet.
 */
export type TrackerView = {
/**
 * The spot: the wager, with its number where it has one on each.
 */
wager: string,
/**
 * The numbers that carry a lammer.
 */
marks: Array<number>,
/**
 * How many rolls of a sequence have matched.
 */
matched: number,
/**
 * How far it has come, in words: `3 of 6 points: 4 6 9`.
 */
progress: string,
/**
 * The same as a number: marks that lie, how often something came, rolls that matched.
 */
count: number,
/**
 * The number at which it is complete; none where it counts on until something ends it.
 */
of: number | null,
/**
 * Everything that can carry a lammer, in order.
 */
lammers: Array<LammerView>,
/**
 * How many bets are up.
 */
bets: number,
/**
 * `idle`, `fresh` or `standing`.
 */
riding: "idle" | "fresh" | "standing", };

/**
 * Something that can carry a lammer.
 */
export type LammerView = {
/**
 * What it stands for: `6`, `3-3`.
 */
on: string,
/**
 * How often it has come.
 */
count: number, };

/**
 * Something won and neither paid nor denied yet: a jackpot, or an award that is held.
 */
export type ClaimView = {
/**
 * Its number.
 */
claim: number,
/**
 * The paytable whose meter pays it; none for an award that is held.
 */
paytable: string | null,
/**
 * The wager it was won on, for an award that is held; not for strangers.
 */
wager: string | null,
/**
 * How much is held, not for strangers; what a meter pays is among its hits.
 */
amount: number | null,
/**
 * The winners; none for strangers.
 */
seats: Array<number>,
/**
 * What the crew checks before it pays, and what it has checked; none for strangers.
 */
checklist: Array<CheckView>, };

/**
 * One thing that the crew checks before it pays what was won.
 */
export type CheckView = {
/**
 * What.
 */
item: CheckItem,
/**
 * Who has checked it: compare with `GET /api/me`. None while nobody has.
 */
by: string | null,
/**
 * Their name at tables.
 */
name: string | null,
/**
 * When, in milliseconds since 1970.
 */
at: number | null, };

/**
 * One thing that the crew checks before it pays what was won.
 */
export type CheckItem = "dice" | "surveillance" | "identity" | "form";

/**
 * Who pays what was won.
 */
export type PaidBy = "tray" | "cage";

/**
 * One thing that a request would change.
 */
export type Line = {
/**
 * What changes, such as `rack of seat 3, Ann`.
 */
what: string,
/**
 * What it is now; empty if there is nothing yet.
 */
before: string,
/**
 * What it would be; empty if nothing is left.
 */
after: string, };

/**
 * Something that keeps a table from being closed for good.
 */
export type Remains = {
/**
 * Which kind of thing it is.
 */
kind: RemainsKind,
/**
 * What it is, such as `rack of seat 3, Ann`.
 */
what: string,
/**
 * How much there is of it, in cents, where it is money.
 */
amount: number | null,
/**
 * What to do about it.
 */
todo: string, };

/**
 * A kind of thing that keeps a table from being closed for good.
 */
export type RemainsKind = "paying" | "bets" | "rack" | "claim" | "request" | "work" | "tray" | "meter";

/**
 * Where chips lie.
 */
export type ChipPlace = "tray" | "felt" | "rack" | "dealers" | "cage";

/**
 * Chips that move from one place to another.
 */
export type ChipTransfer = {
/**
 * Where they are.
 */
from: ChipPlace,
/**
 * Where they go.
 */
to: ChipPlace,
/**
 * How many.
 */
amount: number, };

/**
 * What a crew does about an item.
 */
export type WorkKind = "take" | "pay" | "off-and-on" | "return" | "move" | "stand" | "hold" | "confirmed" | "cage" | "denied" | "give-back" | "take-back" | "put-back";

/**
 * One thing to do.
 */
export type WorkItemView = {
/**
 * Its number on the list: ticks name it.
 */
item: number,
/**
 * What it is.
 */
kind: WorkKind,
/**
 * Whose chips; none for the dealers' envy.
 */
seat: number | null,
/**
 * The player's name.
 */
name: string,
/**
 * The bet, as it is written on a tape; empty if it is about none.
 */
wager: string,
/**
 * Where the bet goes, if it moves on the felt.
 */
to: string,
/**
 * How much it is about: the stake of a bet, or what is held.
 */
amount: number,
/**
 * The claims it waits for, or was paid for.
 */
claims: Array<number>,
/**
 * The chips that move.
 */
chips: Array<ChipTransfer>,
/**
 * Whether a dealer has ticked it off. Ticks are lost when the server restarts.
 */
ticked: boolean, };

/**
 * The chips that the crew has to move because of one record.
 */
export type WorkListView = {
/**
 * The number of the record: `done` names it.
 */
list: number,
/**
 * What happened: `rolled`, `voided`, `corrected`, `mended`, `confirmed`, `denied`,
 * `dice-passed` or `given-up`.
 */
cause: string,
/**
 * The dice, where it is about a roll.
 */
dice: string | null,
/**
 * The dice as they were keyed, where a roll was corrected.
 */
was: string | null,
/**
 * Which roll of the table it was.
 */
number: number | null,
/**
 * What was wrong, where an earlier roll was mended, such as `showed 5-1`.
 */
what: string | null,
/**
 * The claim that was answered.
 */
claim: number | null,
/**
 * Why.
 */
reason: string | null,
/**
 * Whether the dice of a round brought it about: `open-betting` marks such lists of the present
 * round done. Each other list is marked by `done`.
 */
of_the_dice: boolean,
/**
 * Whether it is marked done: then only what is held is left of it.
 */
done: boolean,
/**
 * What to do, in this order.
 */
items: Array<WorkItemView>, };

/**
 * The roll that would take the most chips out of the tray.
 */
export type WorstRollView = {
/**
 * The dice.
 */
dice: string,
/**
 * What the tray would pay, less what it would take.
 */
costs: number,
/**
 * What would lie in the tray afterwards; less than zero if it is short.
 */
leaves: number, };

/**
 * The limits of a table for one day, and how much of each is left.
 */
export type LimitsView = {
/**
 * `YYYY-MM-DD`, UTC.
 */
day: string,
/**
 * Fills above it take two people.
 */
fills: LimitView,
/**
 * Credits above it take two people.
 */
credits: LimitView,
/**
 * Whether buy-ins above their limit wait for a second person.
 */
hold_buy_ins: boolean,
/**
 * The players at the table.
 */
seats: Array<SeatLimitsView>, };

/**
 * How much of a limit is used.
 */
export type LimitView = {
/**
 * The limit.
 */
limit: number,
/**
 * What is used, at other tables too.
 */
used: number,
/**
 * What of it was bought at other tables, as far as this one has heard.
 */
elsewhere: number,
/**
 * What is left.
 */
left: number,
/**
 * Whether more than the limit is used.
 */
over: boolean,
/**
 * Whose limit it is, what is used and what is left, in words.
 */
says: string, };

/**
 * The limits of one player, and who that is.
 */
export type SeatLimitsView = {
/**
 * The seat.
 */
seat: number,
/**
 * The record by which the player sat down: `link` and `identify` name it.
 */
sitting: number,
/**
 * Who plays, the same at every table: an account, a person whom the crew has named, or else
 * this sitting alone.
 */
player: string,
/**
 * The person whom the crew has named.
 */
person: string | null,
/**
 * Who has named them.
 */
linked: NotedView | null,
/**
 * Cash buy-ins, over all tables.
 */
cash: LimitView,
/**
 * Buy-ins with markers, over all tables.
 */
markers: LimitView,
/**
 * Cash-outs at this table: above the limit they take two people.
 */
cash_outs: LimitView,
/**
 * Who has taken the player's identity today, at whichever table.
 */
identity: NotedView | null,
/**
 * Whether the house asks for it: a limit on buy-ins is crossed, and nobody has taken it.
 */
ask_identity: boolean, };

/**
 * Who noted something, and when.
 */
export type NotedView = {
/**
 * Who.
 */
by: string,
/**
 * Their name at tables.
 */
name: string | null,
/**
 * When, in milliseconds since 1970.
 */
at: number, };

/**
 * A bet made after a roll and undone with it.
 */
export type UndoneView = {
/**
 * Whose.
 */
seat: number,
/**
 * Where.
 */
wager: string,
/**
 * The chips that go back to the rack; less than zero where they go back on the felt.
 */
amount: number, };

/**
 * Money that moved with a mend, or a bet that came down.
 */
export type MendMoveView = {
/**
 * Whose rack or bet; none for the dealers, and for players who have left.
 */
seat: number | null,
/**
 * The player's name, for those who have left.
 */
name: string,
/**
 * The bet that came down; empty for money.
 */
wager: string,
/**
 * Where it went.
 */
place: MendPlace,
/**
 * How much: of a bet that came down all of it, otherwise less than zero if the house got it.
 */
amount: number,
/**
 * Whether a bet that came down was lost, at least in part.
 */
lost: boolean, };

/**
 * A roll that was mended later.
 */
export type MendedRollView = {
/**
 * The record of the roll.
 */
of: number,
/**
 * The dice as they were keyed.
 */
keyed: string,
/**
 * What was wrong, such as `showed 5-1`.
 */
what: string, };

/**
 * A bet as it was, where it was booked otherwise.
 */
export type MendBet = {
/**
 * Whose.
 */
seat: number,
/**
 * On what.
 */
wager: string,
/**
 * How much it was; nothing where there was no bet.
 */
amount: number, };

/**
 * Chips that a player has beyond what is booked.
 */
export type MendChips = {
/**
 * Whose.
 */
seat: number,
/**
 * How many more; less than zero where there are fewer.
 */
amount: number, };

/**
 * What was wrong with a roll.
 */
export type MendKind = "dice" | "no-roll" | "bet" | "wrong-player" | "wrong-amount";

/**
 * One line of a mend.
 */
export type MendLine = {
/**
 * What it is about.
 */
part: MendPart,
/**
 * Whose; none for the dealers.
 */
seat?: number | null,
/**
 * Who sat there when the dice were thrown. The server says it.
 */
name: string,
/**
 * The bet, as it is written on a tape; empty if it is about none.
 */
wager: string,
/**
 * Where the money goes, or comes from.
 */
place: MendPlace,
/**
 * What the player or the dealers should still get, by the engine; less than zero is to come
 * back. The server says it.
 */
due: number,
/**
 * What moves. Of a bet on the felt all of it or nothing.
 */
amount: number, };

/**
 * What a line of a mend is about.
 */
export type MendPart = "winnings" | "stake" | "jackpot" | "bet-lost" | "bet-back" | "envy" | "chips";

/**
 * Where the money of a line goes.
 */
export type MendPlace = "rack" | "cage" | "walked" | "felt" | "dealers";

/**
 * What is to be mended about which roll.
 */
export type MendQuestion = {
/**
 * The number of the roll's record.
 */
of: number,
/**
 * What was wrong.
 */
kind: MendKind,
/**
 * What the dice showed, where they were keyed wrongly.
 */
dice?: string,
/**
 * The bets as they were, where bets were wrong.
 */
bets?: Array<MendBet>,
/**
 * The chips that players have beyond what is booked, where wrong chips were paid.
 */
chips?: Array<MendChips>, };

/**
 * What a player buys chips with.
 */
export type BuyInKind = "cash" | "marker" | "coupon" | "chips";

/**
 * Where chips go that leave a rack.
 */
export type CashOutKind = "walk" | "jackpot" | "redeem" | "toke" | "left-behind";

/**
 * A moment on the clock of one run of the server, which nobody sets.
 */
export type Until = {
/**
 * Which run, as snapshots name it.
 */
run: string,
/**
 * Milliseconds since that run began.
 */
at: number, };

/**
 * Where the players' money of a meter goes that a configuration drops.
 */
export type OldMeter = { "goes": "paytable",
/**
 * Which.
 */
paytable: string, } | { "goes": "meter",
/**
 * Which.
 */
to: string,
/**
 * It may serve another paytable.
 */
other_paytable?: boolean, } | { "goes": "kept", };

/**
 * Something that waits for a second person.
 */
export type ProposalView = {
/**
 * Its number, to approve or withdraw it by.
 */
proposal: number,
/**
 * `void`, `correct to 3-4`, `configure`, `deny claim 1`, `buy-in of 12000.00 at seat 3` …; at
 * a meter `adjust`, `set-terms` or `close`.
 */
what: string,
/**
 * What it would change, line by line.
 */
lines: Array<Line>,
/**
 * Why.
 */
reason: string,
/**
 * Who asked: compare with `GET /api/me`.
 */
by: string,
/**
 * Their name at tables.
 */
name: string | null,
/**
 * When it lapses, in milliseconds since 1970.
 */
until: number, };

/**
 * Something that waits for you.
 */
export type WaitingView = {
/**
 * Where it waits.
 */
at: WaitingAt,
/**
 * The name of the table or meter in addresses.
 */
id: string,
/**
 * The name of the table, or the paytable of the meter.
 */
name: string,
/**
 * What you can do about it.
 */
kind: WaitingKind,
/**
 * The number of the request or of the claim.
 */
number: number,
/**
 * What was asked for, in the words of the request, or what was won.
 */
what: string,
/**
 * What a request would change, line by line.
 */
lines: Array<Line>,
/**
 * Why it was asked for.
 */
reason: string | null,
/**
 * The name of the person who asked, or who withdrew what you had asked for; none where nobody
 * agreed in time.
 */
by: string | null,
/**
 * How much is held, in cents. A jackpot's amount is told by its meter.
 */
amount: number | null,
/**
 * When the request lapses, or is no longer told of, in milliseconds since 1970.
 */
until: number | null, };

/**
 * Where something waits.
 */
export type WaitingAt = "table" | "meter";

/**
 * What a person can do about something that waits.
 */
export type WaitingKind = "claim" | "request" | "withdrawn";

/**
 * A request that another person than the one who asked has withdrawn, or that lapsed.
 */
export type WithdrawnView = {
/**
 * The number of the request.
 */
proposal: number,
/**
 * What was asked for, in the words of the request.
 */
what: string,
/**
 * Who had asked: compare with `GET /api/me`.
 */
asked_by: string,
/**
 * The name of the person who withdrew it; none where nobody agreed in time.
 */
by: string | null,
/**
 * Why it was withdrawn.
 */
reason: string | null,
/**
 * When, in milliseconds since 1970.
 */
at: number, };

/**
 * What the bell's socket says.
 */
export type FromBell = { "type": "waiting",
/**
 * What waits: claims first, then requests, those that lapse first before others.
 */
waiting: Array<WaitingView>, };

/**
 * What a seat may do with one spot now.
 */
export type OfferView = {
/**
 * The spot.
 */
wager: string,
/**
 * The least that may be put there, in cents.
 */
least: number | null,
/**
 * The most.
 */
most: number | null,
/**
 * The step.
 */
step: number | null,
/**
 * Why nothing may be put there.
 */
why_not: Problem | null,
/**
 * Whether what is there may be taken down.
 */
take: boolean,
/**
 * Whether it may be called on and off.
 */
call: boolean,
/**
 * Stakes that are multiples of this win whole dollars.
 */
even: number, };

/**
 * What the dice would do to a seat if they fell so. Amounts are cents.
 */
export type IfRolledView = {
/**
 * The dice that do this, in either order: `1-5` and `2-4`.
 */
dice: Array<string>,
/**
 * Their total.
 */
total: number,
/**
 * Whether they are a pair.
 */
hard: boolean,
/**
 * What the stick would call.
 */
call: string,
/**
 * What the seat would win, commission taken out and jackpots counted at what their meters
 * show.
 */
won: number,
/**
 * What it would lose, with the commission it was put up with.
 */
lost: number,
/**
 * What of its chips would still be on the felt.
 */
keeps: number,
/**
 * What of the winnings are jackpots.
 */
jackpots: number,
/**
 * Every bet of the seat that would not simply stand.
 */
lines: Array<SettledView>, };

/**
 * A call or a cheer.
 */
export type Cheer = "good-luck" | "come-on-dice" | "nice-roll" | "hot-hand" | "yo" | "hard-way" | "press-it" | "ouch" | "well-played" | "thank-you";

/**
 * What a browser says on the socket of a table.
 */
export type FromClient = { "type": "command",
/**
 * 1 to 64 letters, digits, `-` and `_`, different for every command of a sender.
 */
id: string,
/**
 * The betting round it is meant for.
 */
round?: number,
/**
 * The latest moment at which the server may still obey it.
 */
until?: Until | null,
/**
 * The command.
 */
command: Command, } | { "type": "resume",
/**
 * The last record seen.
 */
after: number, } | { "type": "offers",
/**
 * Which.
 */
seat: number, } | { "type": "if-it-rolls",
/**
 * Which.
 */
seat: number, } | { "type": "tick",
/**
 * The list.
 */
list: number,
/**
 * The item.
 */
item: number,
/**
 * Whether it is done.
 */
on: boolean, } | { "type": "worst-roll", } | { "type": "cheer",
/**
 * What.
 */
cheer: Cheer, };

/**
 * What the server says on the socket of a table.
 */
export type FromServer = { "type": "snapshot",
/**
 * The table.
 */
table: TableView,
/**
 * The server's clock, in milliseconds since 1970.
 */
at: number,
/**
 * The clock that `until` goes by: its run, and the milliseconds since it began.
 */
now: Until, } | { "type": "resumed",
/**
 * The table's last record.
 */
seq: number,
/**
 * The server's clock, in milliseconds since 1970.
 */
at: number,
/**
 * The clock that `until` goes by: its run, and the milliseconds since it began.
 */
now: Until, } | { "type": "update" } & Update | { "type": "ack",
/**
 * The command's id.
 */
id: string,
/**
 * The record it became.
 */
seq: number, } | { "type": "refused",
/**
 * The command's id.
 */
id: string,
/**
 * Why.
 */
problem: Problem, } | { "type": "offers",
/**
 * Which.
 */
seat: number,
/**
 * The table's last record.
 */
seq: number,
/**
 * Spot by spot.
 */
offers: Array<OfferView>, } | { "type": "shooter-away",
/**
 * Whether they are away.
 */
away: boolean, } | { "type": "cheer",
/**
 * From which seat.
 */
seat: number,
/**
 * What.
 */
cheer: Cheer, } | { "type": "if-it-rolls",
/**
 * Whose.
 */
seat: number,
/**
 * The record it was told after.
 */
seq: number,
/**
 * What it would do.
 */
rolls: Array<IfRolledView>,
/**
 * Why nobody could throw, where nobody could.
 */
why_not: Problem | null, } | { "type": "work",
/**
 * The table's last record.
 */
seq: number,
/**
 * The lists.
 */
lists: Array<WorkListView>, } | { "type": "limits",
/**
 * The table's last record.
 */
seq: number,
/**
 * The limits.
 */
limits: LimitsView | null, } | { "type": "worst-roll",
/**
 * The table's last record.
 */
seq: number,
/**
 * The roll.
 */
worst: WorstRollView | null, } | { "type": "meter",
/**
 * The meter.
 */
meter: MeterView, } | { "type": "problem",
/**
 * Why.
 */
problem: Problem, };

/**
 * A command with the id its sender gave it.
 */
export type Ask = {
/**
 * 1 to 64 letters, digits, `-` and `_`, different for every command of a sender. Sent again,
 * an accepted command is answered as before and not applied again.
 */
id: string,
/**
 * The betting round it is meant for, as the table shows it. Crews at real tables name it with
 * every command that depends on the moment. Any command that names another round is refused
 * as `other-roll`.
 */
round?: number,
/**
 * The latest moment at which the server may still obey it, by the server's own clock.
 */
until?: Until | null,
/**
 * The command.
 */
command: Command, };

/**
 * What people ask of a table. Amounts are cents.
 */
export type Command = { "command": "sit",
/**
 * Which.
 */
seat?: number | null,
/**
 * Whom a dealer seats; players sit down under their own name.
 */
name?: string | null, } | { "command": "leave",
/**
 * Which.
 */
seat: number,
/**
 * Where the chips go.
 */
kind?: CashOutKind, } | { "command": "rename",
/**
 * Which seat.
 */
seat: number,
/**
 * The name, where the crew asks.
 */
name?: string | null, } | { "command": "give-up-seat",
/**
 * Which.
 */
seat: number,
/**
 * Why.
 */
reason: string, } | { "command": "buy-in",
/**
 * For whom.
 */
seat: number,
/**
 * How many.
 */
amount: number,
/**
 * With what.
 */
kind?: BuyInKind, } | { "command": "cash-out",
/**
 * From whom.
 */
seat: number,
/**
 * How many.
 */
amount: number,
/**
 * Where they go.
 */
kind?: CashOutKind, } | { "command": "put",
/**
 * Whose.
 */
seat: number,
/**
 * On what.
 */
wager: string,
/**
 * How many more.
 */
amount: number, } | { "command": "take",
/**
 * Whose.
 */
seat: number,
/**
 * From what.
 */
wager: string,
/**
 * How many, or all.
 */
amount?: number | null, } | { "command": "call",
/**
 * Whose.
 */
seat: number,
/**
 * Which.
 */
wager: string,
/**
 * What.
 */
call: "house" | "on" | "off", } | { "command": "close-betting", } | { "command": "roll",
/**
 * The shooter's bytes.
 */
shooter_bytes: string,
/**
 * The commitment they answer. If the house has made a new commitment since, as after a
 * crash, they are refused as `other-commitment`: the house may have seen them.
 */
commitment?: string | null, } | { "command": "key-roll",
/**
 * What they show.
 */
dice: string, } | { "command": "no-roll", } | { "command": "pass-dice", } | { "command": "open-betting", } | { "command": "done",
/**
 * The number of the record that the list follows from.
 */
list: number, } | { "command": "link",
/**
 * The number of the record by which the player sat down.
 */
sitting: number,
/**
 * The name or number by which the house knows the player, or the id of their account;
 * left out, what was said before is taken back.
 */
person?: string | null, } | { "command": "identify",
/**
 * The number of the record by which the player sat down.
 */
sitting: number,
/**
 * Whether it was taken.
 */
taken: boolean, } | { "command": "accept-tray",
/**
 * Why.
 */
reason: string, } | { "command": "void",
/**
 * The number of the roll's record. Crews at real tables name it.
 */
of?: number,
/**
 * Why.
 */
reason: string, } | { "command": "correct",
/**
 * The number of the roll's record. Crews at real tables name it.
 */
of?: number,
/**
 * What they showed.
 */
dice: string,
/**
 * Why.
 */
reason: string, } | { "command": "mend",
/**
 * The number of the roll's record.
 */
of: number,
/**
 * What was wrong.
 */
kind: MendKind,
/**
 * What the dice showed, if they were keyed wrongly.
 */
dice?: string,
/**
 * The bets as they were, if bets were wrong.
 */
bets?: Array<MendBet>,
/**
 * The chips that players have beyond what is booked, if wrong chips were paid.
 */
chips?: Array<MendChips>,
/**
 * What is decided, line by line; as the engine suggests it if it is left out.
 */
lines?: Array<MendLine> | null,
/**
 * Why.
 */
reason: string,
/**
 * Where surveillance has it.
 */
video?: string | null, } | { "command": "configure",
/**
 * The number of the record that set the configuration which this one changes: the one
 * that waits, or else the one in force. Crews at real tables name it. If another one came
 * in between, the command is refused as `out-of-date`.
 */
of?: number,
/**
 * The configuration.
 */
config: TableConfig,
/**
 * Where the players' money goes of meters of the table's own that it drops, by the
 * paytable that each serves.
 */
old_meters?: { [key in string]: OldMeter },
/**
 * Why.
 */
reason: string, } | { "command": "approve",
/**
 * The number of the record that asked.
 */
proposal: number, } | { "command": "withdraw",
/**
 * The number of the record that asked.
 */
proposal: number,
/**
 * Why: needed if another person asked. They are told.
 */
reason?: string | null, } | { "command": "check",
/**
 * Which claim.
 */
claim: number,
/**
 * What has been checked.
 */
item: CheckItem, } | { "command": "confirm-claim",
/**
 * Which.
 */
claim: number,
/**
 * Who pays.
 */
paid_by?: PaidBy,
/**
 * The number of the slip; what the cage pays has one.
 */
slip?: string | null,
/**
 * The number of the tax form.
 */
form?: string | null, } | { "command": "deny-claim",
/**
 * Which.
 */
claim: number,
/**
 * Why.
 */
reason: string, } | { "command": "fill",
/**
 * How many.
 */
amount: number, } | { "command": "credit",
/**
 * How many.
 */
amount: number, } | { "command": "pause", } | { "command": "resume", } | { "command": "close",
/**
 * Why: needed at a real table.
 */
reason?: string | null, };

/**
 * A command was accepted and is durable.
 */
export type Accepted = {
/**
 * The command's id.
 */
id: string,
/**
 * The record it became.
 */
seq: number, };

/**
 * One record, as it is broadcast.
 */
export type Update = {
/**
 * Its number: the next update has the next.
 */
seq: number,
/**
 * When, in milliseconds since 1970.
 */
at: number,
/**
 * Who asked, as in `GET /api/me`; the house itself is `boxman`; none for strangers.
 */
by: string | null,
/**
 * Their name at tables, where no seat of theirs tells it; none for strangers.
 */
name?: string,
/**
 * What happened.
 */
events: Array<Happened>,
/**
 * The seats that changed, as they are now; none for strangers.
 */
seats: Array<SeatView>,
/**
 * What everybody shares, as it is now, where it changed.
 */
hand: HandView | null, };

/**
 * Something that happened at a table. Amounts are cents. Strangers hear of the dice and of what
 * is everybody's, without reasons and shares.
 */
export type Happened = { "event": "sat", seat: number, name: string, } | { "event": "renamed", seat: number, name: string, } | { "event": "given-up", seat: number, reason: string, } | { "event": "left", seat: number, amount: number, kind: CashOutKind, } | { "event": "bought-in", seat: number, amount: number, kind: BuyInKind, } | { "event": "cashed-out", seat: number, amount: number, kind: CashOutKind, } | { "event": "filled", amount: number, } | { "event": "credited", amount: number, } | { "event": "put", seat: number, wager: string, amount: number, } | { "event": "took", seat: number, wager: string, amount: number, } | { "event": "called", seat: number, wager: string, call: string, } | { "event": "betting-closed" } | { "event": "rolled" } & RolledView | { "event": "no-roll" } | { "event": "dice-passed", to: number, } | { "event": "swept", lines: Array<SettledView>, } | { "event": "voided", dice: string, reason: string | null, undone: Array<UndoneView>, } | { "event": "corrected", was: string, reason: string | null, undone: Array<UndoneView>, rolled: RolledView, } | { "event": "claim-paid", claim: number, amount: number, shares: Array<[number, number]>, } | { "event": "held", claim: number, seat: number, wager: string, amount: number, } | { "event": "envy-held", claims: Array<number>, amount: number, } | { "event": "released", claim: number, seat: number, wager: string, amount: number, } | { "event": "claim-denied", claim: number, wager: string, amount: number, shares: Array<[number, number]>, reason: string, } | { "event": "returned", seat: number, wager: string, amount: number, reason: string, } | { "event": "mended", of: number, number: number, keyed: string, what: string, reason: string | null, moves: Array<MendMoveView>, } | { "event": "paying-begun" } | { "event": "betting-opened" } | { "event": "checked", claim: number, item: CheckItem, } | { "event": "confirmed", claim: number, paid_by: PaidBy, slip: string | null, form: string | null, shown: number | null, } | { "event": "work-done", list: number, } | { "event": "linked", sitting: number, name: string, person: string | null, } | { "event": "identified", sitting: number, name: string, taken: boolean, } | { "event": "configured", rules: string, } | { "event": "paused" } | { "event": "resumed" } | { "event": "closed" } | { "event": "committed", commitment: string, } | { "event": "proposed", proposal: number, what: string, lines: Array<Line>, reason: string, } | { "event": "withdrawn", proposal: number, reason?: string, } | { "event": "agreed", proposal: number, } | { "event": "change-queued" };

/**
 * A roll.
 */
export type RolledView = {
/**
 * The dice: `3-4`.
 */
dice: string,
/**
 * Their total.
 */
total: number,
/**
 * Which roll of the table it was.
 */
number: number,
/**
 * Who threw them.
 */
shooter: number,
/**
 * What the stick calls.
 */
call: string,
/**
 * The point before; none for a come-out.
 */
point: number | null,
/**
 * Every bet that did not simply stand, by seat and then by spot; none for strangers.
 */
lines: Array<SettledView>,
/**
 * What the dealers were paid; not for strangers.
 */
envy: number | null,
/**
 * Jackpots won: claim, paytable, seats; no seats for strangers.
 */
claims: Array<[number, string, Array<number>]>,
/**
 * How the house threw the dice, to be checked against its commitment.
 */
thrown: ThrownView | null, };

/**
 * How the house threw the dice.
 */
export type ThrownView = {
/**
 * The secret it had committed to.
 */
secret: string,
/**
 * The shooter's part.
 */
shooter_bytes: string, };

/**
 * What became of one bet.
 */
export type SettledView = {
/**
 * Whose.
 */
seat: number,
/**
 * Where it stood.
 */
wager: string,
/**
 * How much it was.
 */
stake: number,
/**
 * `win`, `lose`, `push`, `return` or `travel`.
 */
fate: string,
/**
 * Winnings, before commission.
 */
won: number,
/**
 * Winnings that the posted aggregate cap has kept from it.
 */
withheld: number,
/**
 * Commission taken out of them.
 */
commission: number,
/**
 * Commission paid in advance that this decision has used up.
 */
vig: number,
/**
 * What goes to the player's rack.
 */
to_rack: number,
/**
 * Where what is left of it stands now.
 */
left: string | null, };

/**
 * A record of a table's log, as it is stored.
 */
export type RecordView = {
/**
 * Its number.
 */
seq: number,
/**
 * What happened, in the log's own encoding.
 */
body: unknown,
/**
 * The hash that chains it to the record before.
 */
hash: string, };

/**
 * How a table is set up, and how it will be.
 */
export type ConfigurationView = {
/**
 * The number of the last configuration, of the record that set it: a request for another one
 * names it.
 */
configuration: number,
/**
 * The configuration in force.
 */
in_force: TableConfig,
/**
 * The one that waits for a come-out with nothing on the layout.
 */
waiting: TableConfig | null, };

/**
 * One shooter's turn with the dice. Every record after the opening belongs to one hand.
 */
export type PastHand = {
/**
 * Its number at this table, counted from one.
 */
hand: number,
/**
 * Who threw its first roll; none while nothing has been thrown.
 */
shooter: number | null,
/**
 * The shooter's name then; not for strangers.
 */
name: string | null,
/**
 * The last record before its first: ask for the history after this one.
 */
from: number,
/**
 * Its last record.
 */
to: number,
/**
 * When it was first thrown, or its first record written, in milliseconds since 1970.
 */
started_at: number,
/**
 * When it ended.
 */
ended_at: number | null,
/**
 * How it ended.
 */
end: HandEnd | null,
/**
 * Whether it is still going on.
 */
open: boolean,
/**
 * The dice that counted, in order: `3-4`. Rolls that were voided are left out, corrected
 * ones are as they were corrected.
 */
rolls: Array<string>,
/**
 * What the house's account gained, in cents: less than zero where the players did. Not for
 * strangers.
 */
net: number | null,
/**
 * How many jackpots were won.
 */
jackpots: number,
/**
 * How many rolls were voided.
 */
voided: number,
/**
 * How many were corrected.
 */
corrected: number,
/**
 * The rolls that were mended later.
 */
mended: Array<MendedRollView>, };

/**
 * How a hand ended.
 */
export type HandEnd = "seven-out" | "passed" | "left";

/**
 * A stretch of a table's log, as its socket told it.
 */
export type History = {
/**
 * The table as it stood before, without its meters: they have logs of their own.
 */
table: TableView,
/**
 * What came next, numbered without a gap. A stretch ends with a change of rules: ask again
 * after it for the table under the others.
 */
updates: Array<Update>,
/**
 * The table's last record.
 */
head: number, };

/**
 * Every movement of a seat's chips, oldest first: from an empty rack they add up to the rack.
 */
export type Ledger = {
/**
 * The seat.
 */
seat: number,
/**
 * The movements. Those of one record are never parted.
 */
movements: Array<Movement>,
/**
 * Ask for those after this record for more, if there are any; none where these are the last.
 */
next: number | null,
/**
 * The table's last record.
 */
head: number, };

/**
 * One movement of a seat's chips.
 */
export type Movement = {
/**
 * The record it is in.
 */
seq: number,
/**
 * When, in milliseconds since 1970.
 */
at: number,
/**
 * Who asked for what caused it.
 */
by: string,
/**
 * Who sat there.
 */
name: string | null,
/**
 * What moved them.
 */
what: Kind,
/**
 * The bet it is about.
 */
wager: string | null,
/**
 * What was on it.
 */
stake: number | null,
/**
 * The dice, where they decided it.
 */
dice: string | null,
/**
 * What the rack gained, in cents; less than zero is a loss.
 */
amount: number,
/**
 * The rack after it.
 */
rack: number, };

/**
 * What moved a seat's chips.
 */
export type Kind = "bought-in" | "cashed-out" | "left" | "put" | "took" | "called" | "win" | "lose" | "push" | "return" | "travel" | "commission" | "claim-paid" | "held" | "released" | "claim-denied" | "returned" | "void" | "mend";

/**
 * What was won, confirmed and paid.
 */
export type SlipView = {
/**
 * The name of the table in addresses.
 */
table: string,
/**
 * Its name.
 */
name: string,
/**
 * The record that paid it.
 */
record: number,
/**
 * When, in milliseconds since 1970.
 */
at: number,
/**
 * The claim.
 */
claim: number,
/**
 * The paytable whose meter paid it; none for an award that was held.
 */
paytable: string | null,
/**
 * The wager it was won on, in a sentence.
 */
wager: string,
/**
 * What each winner was paid.
 */
winners: Array<SlipLine>,
/**
 * What the meter showed when it was won; none for an award that was held.
 */
shown: number | null,
/**
 * What was paid in all.
 */
paid: number,
/**
 * What of it the house paid beyond the meter, where each winner takes it in full.
 */
from_house: number,
/**
 * What the winners could not share evenly: it stays on the meter.
 */
carried: number | null,
/**
 * Who paid.
 */
paid_by: PaidBy,
/**
 * The number of the slip.
 */
slip: string | null,
/**
 * The number of the tax form.
 */
form: string | null,
/**
 * What was checked before, by whom and when.
 */
checklist: Array<CheckView>,
/**
 * Who confirmed it: compare with `GET /api/me`.
 */
by: string,
/**
 * Their name at tables.
 */
by_name: string | null, };

/**
 * What one winner was paid.
 */
export type SlipLine = {
/**
 * The seat.
 */
seat: number,
/**
 * The player's name.
 */
name: string,
/**
 * How much.
 */
amount: number, };

/**
 * A meter.
 */
export type MeterView = {
/**
 * Its name.
 */
meter: string,
/**
 * The paytable it serves.
 */
paytable: string,
/**
 * Whether it holds play money.
 */
practice: boolean,
/**
 * What it would pay now, in cents: never more than that is shown.
 */
amount: number,
/**
 * What it restarts at.
 */
seed: number,
/**
 * The share of each wager added to it, in millionths.
 */
increment: number,
/**
 * The share of each wager set aside, in millionths.
 */
reserve: number,
/**
 * The most it shows.
 */
ceiling: number | null,
/**
 * What is set aside for the next seed; not for strangers.
 */
set_aside: number | null,
/**
 * What of all it holds is the players', and not the house's seed; not for strangers.
 */
of_players: number | null,
/**
 * Players' money that is kept for them and that no sign shows; not for strangers.
 */
kept: number | null,
/**
 * Whether other terms wait for its next reset.
 */
terms_wait: boolean,
/**
 * Whether it is closed.
 */
closed: boolean,
/**
 * Whether its log is damaged: the amount is then nothing, and claims on it wait.
 */
damaged: boolean,
/**
 * Awards fixed and not yet paid, frozen at what the meter showed.
 */
hits: Array<number>,
/**
 * What waits for a second person; none for strangers.
 */
proposals: Array<ProposalView>,
/**
 * What was asked for last and not agreed to; none for strangers.
 */
withdrawn: Array<WithdrawnView>, };

/**
 * What is asked of a meter.
 */
export type AskMeter = {
/**
 * What.
 */
command: MeterCommandView, };

/**
 * What people ask of a meter. Amounts are cents, shares millionths.
 */
export type MeterCommandView = { "command": "adjust",
/**
 * By how much.
 */
amount: number,
/**
 * What brings it about.
 */
kind: AdjustKind,
/**
 * The table it is about.
 */
table?: string | null,
/**
 * The record there.
 */
record?: number,
/**
 * Why.
 */
reason: string, } | { "command": "move",
/**
 * Which.
 */
to: string,
/**
 * How much of the amount shown, or of what a closed meter keeps; everything above the seed
 * where it is left out, with what is set aside.
 */
amount?: number | null,
/**
 * It may serve another paytable.
 */
other_paytable?: boolean,
/**
 * Why.
 */
reason: string, } | { "command": "set-terms",
/**
 * What it restarts at.
 */
seed: number,
/**
 * The share of each wager added to it.
 */
increment: number,
/**
 * The share of each wager set aside for the next seed.
 */
reserve: number,
/**
 * The most it shows.
 */
ceiling?: number | null,
/**
 * Why.
 */
reason: string, } | { "command": "close",
/**
 * Where the players' money goes, where there is any.
 */
players?: PlayersMoneyView | null,
/**
 * Why.
 */
reason: string, } | { "command": "approve",
/**
 * The number of the record that asked.
 */
proposal: number, } | { "command": "withdraw",
/**
 * The number of the record that asked.
 */
proposal: number,
/**
 * Why: needed if another person asked. They are told.
 */
reason?: string | null, };

/**
 * What brings an adjustment about.
 */
export type AdjustKind = "paid-outside" | "malfunction" | "over-ceiling" | "seed";

/**
 * Where the players' money of a meter that closes goes.
 */
export type PlayersMoneyView = { "goes": "meter",
/**
 * Which.
 */
to: string,
/**
 * It may serve another paytable.
 */
other_paytable?: boolean, } | { "goes": "kept", };

/**
 * Something became a record.
 */
export type Recorded = {
/**
 * Which.
 */
seq: number, };

/**
 * A rulebook.
 */
export type RulebookView = {
/**
 * The name it is chosen by.
 */
name: string,
/**
 * The name a reader knows it by.
 */
title: string,
/**
 * The document it was written from.
 */
source: string,
/**
 * A base game; otherwise side bets.
 */
base: boolean,
/**
 * Its paytables and the wagers each covers.
 */
paytables: Array<PaytableView>,
/**
 * The paytables used where none is chosen.
 */
default_paytables: Array<string>,
/**
 * Its options and their present values.
 */
options: Array<[string, string]>,
/**
 * The hash of its text.
 */
hash: string, };

/**
 * What players have bought on one day.
 */
export type BuyInsView = {
/**
 * `YYYY-MM-DD`, UTC.
 */
day: string,
/**
 * The players, those who have bought most with cash and markers first.
 */
players: Array<PlayerBuyIns>,
/**
 * Tables that could not be looked at.
 */
left_out: Array<LeftOut>, };

/**
 * What one player has bought and cashed out.
 */
export type PlayerBuyIns = {
/**
 * Who, the same at every table: an account, a person whom the crew has named, or else one
 * sitting, which counts alone.
 */
player: string,
/**
 * The name they had at the table where they sat down last.
 */
name: string,
/**
 * The account, if it is one.
 */
account: string | null,
/**
 * The person whom the crew has named.
 */
person: string | null,
/**
 * The sums over all tables.
 */
sums: BuyInSums,
/**
 * The lowest limit on cash buy-ins at their tables.
 */
cash_limit: number,
/**
 * The lowest limit on buy-ins with markers at their tables.
 */
markers_limit: number,
/**
 * The limits that are crossed: `cash`, `markers`.
 */
over: Array<LimitKind>,
/**
 * Who has taken their identity on that day.
 */
identity: NotedView | null,
/**
 * The same sums, sitting by sitting.
 */
sittings: Array<SittingView>, };

/**
 * What was bought and cashed out, by kind.
 */
export type BuyInSums = {
/**
 * Bought with cash.
 */
cash: number,
/**
 * Bought with markers.
 */
markers: number,
/**
 * Bought with coupons.
 */
coupons: number,
/**
 * Chips brought along.
 */
chips: number,
/**
 * Cashed out.
 */
cashed_out: number, };

/**
 * One sitting of a player at one table.
 */
export type SittingView = {
/**
 * The table.
 */
table: string,
/**
 * Its name on the lobby's list.
 */
table_name: string,
/**
 * The seat.
 */
seat: number,
/**
 * The name at the table.
 */
name: string,
/**
 * The record by which the player sat down: `link` and `identify` name it.
 */
sitting: number,
/**
 * What was bought and cashed out in it.
 */
sums: BuyInSums,
/**
 * Who has said who it is.
 */
linked: NotedView | null,
/**
 * Who has taken the player's identity there.
 */
identity: NotedView | null, };

/**
 * A paytable.
 */
export type PaytableView = {
/**
 * Its name.
 */
name: string,
/**
 * The wagers it prices.
 */
wagers: Array<string>,
/**
 * Whether it pays from a meter.
 */
progressive: boolean,
/**
 * Options that put its meter on terms to start from; rulebooks leave them to the operator.
 */
suggested: { [key in string]: string }, };

/**
 * What a wager is worth, as JSON says it: exact figures as fractions in strings, rounded ones as
 * numbers. The figures are missing where it cannot be priced, and then `unpriced` says why.
 */
export type WagerEdge = {
/**
 * How it is written: `place 6`, `pass+odds max`, `odds come 4`.
 */
wager: string,
/**
 * How it is called: `Place 6`.
 */
title: string,
/**
 * The paytable it is paid by.
 */
paytable: string | null,
/**
 * What is bet, in cents; none where ratios are exact and nothing is rounded.
 */
stake: number | null,
/**
 * What its meter shows, in cents, where it has one.
 */
meter: number | null,
/**
 * The expected net result for a stake of one, as a fraction.
 */
ev: string | null,
/**
 * The house's share of each dollar bet, as a fraction.
 */
edge: string | null,
/**
 * The same in percent.
 */
edge_percent: number | null,
/**
 * The house's share of each dollar put up, commission included, in percent.
 */
edge_of_outlay_percent: number | null,
/**
 * The edge for each roll on which the bet works, in percent.
 */
edge_per_roll_percent: number | null,
/**
 * The variance of the result for a stake of one, as a fraction.
 */
variance: string | null,
/**
 * Its root, the standard deviation.
 */
deviation: number | null,
/**
 * How often it is paid an award, one that only brings the stake back among them (1 for 1), in
 * percent; a push is none.
 */
hit_percent: number | null,
/**
 * How often it pushes, in percent.
 */
push_percent: number | null,
/**
 * Every result there is, lowest first.
 */
outcomes: Array<Outcome> | null,
/**
 * The mean number of rolls on which it works, as a fraction.
 */
rolls: string | null,
/**
 * The same as a number.
 */
mean_rolls: number | null,
/**
 * Why it cannot be priced.
 */
unpriced: string | null,
/**
 * What to know of the price: other ways in which the bet may begin.
 */
notes?: Array<string>, };

/**
 * One result of a bet, for a stake of one, and how likely it is.
 */
export type Outcome = {
/**
 * What is won, or lost.
 */
net: string,
/**
 * How likely that is.
 */
chance: string, };

/**
 * Every wager of every rulebook and paytable, and what others have published of it.
 */
export type AtlasPage = {
/**
 * How many rolls an hour has.
 */
rolls_per_hour: number,
/**
 * The wagers.
 */
wagers: Array<AtlasWager>, };

/**
 * One wager of the atlas: exact figures as fractions in strings, rounded ones as numbers. They
 * are missing where it cannot be priced, and then `unpriced` says why.
 */
export type AtlasWager = {
/**
 * The rulebook it is in.
 */
rulebook: string,
/**
 * The paytable it is paid by, where there is a choice.
 */
paytable: string | null,
/**
 * How it is written: `place 6`.
 */
wager: string,
/**
 * How it is called: `Place 6`.
 */
title: string,
/**
 * What its meter shows, in cents, where it has one: the suggested seed.
 */
meter: number | null,
/**
 * The house's share of each dollar bet.
 */
edge: string | null,
/**
 * The same in percent.
 */
edge_percent: number | null,
/**
 * The standard deviation of the result for a stake of one.
 */
deviation: number | null,
/**
 * The chance of an award, one that only brings the stake back among them (1 for 1); a push is
 * none.
 */
hit: string | null,
/**
 * The same in percent.
 */
hit_percent: number | null,
/**
 * The mean number of rolls to a decision.
 */
rolls: string | null,
/**
 * The same as a number.
 */
mean_rolls: number | null,
/**
 * The edge for each roll on which the bet works, in percent.
 */
edge_per_roll_percent: number | null,
/**
 * What a dollar that is always up costs in an hour, in dollars.
 */
edge_per_hour: number | null,
/**
 * What others say of it.
 */
published: Array<PublishedFigure>,
/**
 * Why it cannot be priced.
 */
unpriced: string | null, };

/**
 * A published figure of a wager beside ours.
 */
export type PublishedFigure = {
/**
 * Which figure: `edge`, `deviation`, `hit`.
 */
figure: string,
/**
 * The value as it is printed there.
 */
published: string,
/**
 * Ours, written alike with two more places.
 */
ours: string,
/**
 * How far ours is off; none where they agree to the last place printed.
 */
difference: string | null,
/**
 * Why they differ, where they do.
 */
why: string | null,
/**
 * Where it is printed.
 */
source: string, };

/**
 * Sheets in the pieces a screen is put together from, every figure written out.
 */
export type ParPageView = {
/**
 * The figures of all sheets, side by side.
 */
figures: Array<ParFigure>,
/**
 * Each sheet, in the order of the values above.
 */
sheets: Array<ParSheet>, };

/**
 * A figure of several sheets.
 */
export type ParFigure = {
/**
 * What it is called.
 */
name: string,
/**
 * Its value on each sheet, where the sheet has one.
 */
values: Array<ParValue | null>, };

/**
 * A value as people read it.
 */
export type ParValue = {
/**
 * Rounded: `45.9883 %`.
 */
rounded: string,
/**
 * What it is exactly.
 */
exact: string,
/**
 * Whether the house would choose this of several that differ.
 */
best: boolean, };

/**
 * The sheet of one wager under one paytable.
 */
export type ParSheet = {
/**
 * The paytable.
 */
paytable: string,
/**
 * The wager, as written on the felt.
 */
wager: string,
/**
 * The wager in a sentence.
 */
title: string,
/**
 * The rulebook.
 */
rulebook: string,
/**
 * The SHA-256 of its text.
 */
rulebook_hash: string,
/**
 * What it is made for, in a line.
 */
made_for: string,
/**
 * What a manager should not overlook.
 */
flags: Array<string>,
/**
 * What one player bets, in cents.
 */
unit: number,
/**
 * How many have the bet up.
 */
bettors: number,
/**
 * What the meter shows, in cents; none without a meter.
 */
meter: number | null,
/**
 * What it restarts at.
 */
seed: number | null,
/**
 * The whole cents at which players have the edge.
 */
break_even: number | null,
/**
 * Every way it ends, the highest award first.
 */
awards: Array<ParAwardView>,
/**
 * Its charts.
 */
charts: Array<ParChart>, };

/**
 * A row of a sheet's awards.
 */
export type ParAwardView = {
/**
 * What has to happen.
 */
event: string,
/**
 * What it pays; nothing for a push or no award.
 */
pays: string | null,
/**
 * What a jackpot comes to at this meter, in words.
 */
here: string | null,
/**
 * What the dealers get.
 */
envy: string | null,
/**
 * Its chance, as a fraction.
 */
chance: string,
/**
 * The same in percent.
 */
chance_percent: string,
/**
 * One in this many; nothing where it never comes.
 */
one_in: string | null,
/**
 * Its part of the return, in percent.
 */
share_percent: string,
/**
 * The same as a fraction.
 */
share: string, };

/**
 * A chart.
 */
export type ParChart = {
/**
 * What it is called.
 */
title: string,
/**
 * The picture as SVG: no script and no style, text in the colour of the page.
 */
svg: string, };

/**
 * What was found out about a log.
 */
export type Verdict = {
/**
 * Whether everything follows from what came before.
 */
ok: boolean,
/**
 * What does not: the first record of each stream, in the order they were found.
 */
problems: Array<Finding>,
/**
 * What is wrong with things that nothing depends on: a server drops such a snapshot and
 * reads the log instead.
 */
warnings: Array<Finding>,
/**
 * What could not be checked or is still under way, and is no fault.
 */
notes: Array<string>,
/**
 * How many tables were gone through.
 */
tables: number,
/**
 * How many meters.
 */
meters: number,
/**
 * How many records held.
 */
records: number,
/**
 * Rolls thrown, those taken back included.
 */
rolls: number,
/**
 * Rolls taken back or corrected.
 */
voided: number,
/**
 * Bets made and added to.
 */
bets: number,
/**
 * What was put on the layout, in cents.
 */
staked: number,
/**
 * What rolls and jackpots brought back to the players, stakes included, in cents.
 */
paid: number,
/**
 * Jackpots paid.
 */
jackpots: number,
/**
 * How often the house committed to a secret anew without having thrown the one before.
 */
recommitted: number,
/**
 * The last record of each stream.
 */
heads: Array<StreamHead>, };

/**
 * A record that is not as it should be.
 */
export type Finding = {
/**
 * Whose log, or what else of the store.
 */
stream: string,
/**
 * The number of the record; zero where it is not about one.
 */
seq: number,
/**
 * What is wrong with it.
 */
reason: string, };

/**
 * The last record of a stream that was verified.
 */
export type StreamHead = {
/**
 * Whose log.
 */
stream: string,
/**
 * The number of the record.
 */
seq: number,
/**
 * Its hash, in hex.
 */
hash: string, };

/**
 * A table that is not in a report, though it may belong there.
 */
export type LeftOut = {
/**
 * The table.
 */
table: string,
/**
 * Why.
 */
reason: string, };

/**
 * What tables held, day by day and together.
 */
export type Report = {
/**
 * What the figures leave out.
 */
note: string,
/**
 * Each table and day, in the order given.
 */
days: Array<DayReport>,
/**
 * All of them together.
 */
total: Held,
/**
 * Tables that could not be looked at.
 */
left_out: Array<LeftOut>, };

/**
 * What one table held on one day.
 */
export type DayReport = {
/**
 * The table.
 */
table: string,
/**
 * Its name on the lobby's list.
 */
name: string,
/**
 * `YYYY-MM-DD`, UTC.
 */
day: string,
/**
 * What it held.
 */
held: Held,
/**
 * What the tray held after the last record of the day; nothing at practice tables, and at
 * tables opened before there was a tray.
 */
tray: number | null, };

/**
 * What was held, and all that goes with it.
 */
export type Held = {
/**
 * Rolls that counted.
 */
rolls: number,
/**
 * Shooters who sevened out.
 */
hands: number,
/**
 * What went into the box: cash, markers and coupons.
 */
drop: number,
/**
 * What players bought in with, by kind.
 */
buy_ins: BuyIns,
/**
 * What left the players' racks.
 */
cashed_out: number,
/**
 * The same by kind.
 */
cash_outs: CashOuts,
/**
 * Chips brought to the table.
 */
filled: number,
/**
 * Chips taken away from it.
 */
credited: number,
/**
 * Bets that won, lost or pushed.
 */
decisions: number,
/**
 * Their stakes.
 */
handle: number,
/**
 * What the house won on them.
 */
hold: number,
/**
 * The hold as a percentage of the handle.
 */
hold_of_handle: number | null,
/**
 * The hold as a percentage of the drop.
 */
hold_of_drop: number | null,
/**
 * What the hold should have been; nothing where a wager could not be priced.
 */
expectation: Expectation | null,
/**
 * Winnings that an aggregate cap withheld or that were denied, less the stakes of denied
 * jackpots, which are part of the hold.
 */
withheld: number,
/**
 * What the dealers were paid.
 */
envy: number,
/**
 * How often earlier rolls were mended.
 */
mends: number,
/**
 * Adjustments: what the house got by mends, less than zero where it paid. Rolls stay as they
 * were booked, and only the house's account has any of it besides.
 */
adjusted: number,
/**
 * What of the adjustments the cage pays to players who had left.
 */
mends_by_cage: number,
/**
 * What of the adjustments players who had left took with them beyond what was booked.
 */
mends_walked: number,
/**
 * What wagers fed to meters.
 */
fed: number,
/**
 * Whole cents rounded away from winnings.
 */
breakage: number,
/**
 * Jackpots.
 */
jackpots: JackpotsHit,
/**
 * What the house's account gained: the hold less envy, contributions to meters, and what
 * jackpots cost beyond their meters, with adjustments.
 */
house: number,
/**
 * Each wager, by the rules it was decided under and then by name.
 */
wagers: Array<WagerHeld>, };

/**
 * Buy-ins by kind.
 */
export type BuyIns = {
/**
 * Cash, part of the drop.
 */
cash: number,
/**
 * Markers, part of the drop.
 */
markers: number,
/**
 * Coupons, part of the drop.
 */
coupons: number,
/**
 * Chips that players brought along, not part of the drop.
 */
chips: number, };

/**
 * Cash-outs by kind.
 */
export type CashOuts = {
/**
 * Chips that players walked away with.
 */
walk: number,
/**
 * Jackpots that the cage paid.
 */
jackpots: number,
/**
 * Chips that went back into the tray for cash.
 */
redeemed: number,
/**
 * Chips given to the dealers.
 */
tokes: number,
/**
 * Chips kept for players who left without them.
 */
left_behind: number, };

/**
 * Jackpots paid.
 */
export type JackpotsHit = {
/**
 * How many.
 */
count: number,
/**
 * What the winners got.
 */
paid: number,
/**
 * What of it came from meters.
 */
from_meter: number,
/**
 * What of it the house paid beyond them.
 */
from_house: number, };

/**
 * What one wager held.
 */
export type WagerHeld = {
/**
 * The hash of the rules it was decided under.
 */
rules: string,
/**
 * The wager; bets that travel as they were made, odds with their number.
 */
wager: string,
/**
 * Bets that won, lost or pushed.
 */
decisions: number,
/**
 * Their stakes.
 */
handle: number,
/**
 * What the house won on them.
 */
hold: number,
/**
 * The hold as a percentage of the handle.
 */
hold_of_handle: number | null,
/**
 * The exact share of the handle that the house should win; nothing where it is not known.
 */
edge: string | null,
/**
 * What the hold should have been.
 */
expectation: Expectation | null,
/**
 * Winnings that an aggregate cap withheld or that were denied, less the stakes of denied
 * jackpots, which are part of the hold.
 */
withheld: number, };

/**
 * What a hold should have been, in cents and hundredths of a cent.
 */
export type Expectation = {
/**
 * The mean.
 */
expected: number,
/**
 * The standard deviation.
 */
deviation: number,
/**
 * 1.96 deviations under the mean.
 */
low: number,
/**
 * 1.96 deviations over the mean.
 */
high: number,
/**
 * Whether the hold, less what was withheld, lies between the two.
 */
inside: boolean, };
