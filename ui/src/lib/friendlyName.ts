// A name for somebody who has not said theirs: "Lucky Otter 42".

const MOODS = [
  "Lucky",
  "Happy",
  "Brave",
  "Sunny",
  "Jolly",
  "Mellow",
  "Nimble",
  "Golden",
  "Merry",
  "Clever",
  "Gentle",
  "Swift",
];
const ANIMALS = [
  "Otter",
  "Badger",
  "Falcon",
  "Heron",
  "Panda",
  "Lynx",
  "Beaver",
  "Robin",
  "Fox",
  "Dolphin",
  "Hare",
  "Puffin",
  "Koala",
  "Moose",
  "Raven",
  "Turtle",
];

/** `random` gives a number from 0 up to 1, as `Math.random` does. */
export function friendlyName(random: () => number = Math.random): string {
  const one = (words: string[]) => words[Math.floor(random() * words.length)] ?? "";
  return `${one(MOODS)} ${one(ANIMALS)} ${10 + Math.floor(random() * 90)}`;
}
