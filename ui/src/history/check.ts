// Whether the house threw what it had committed to: the secret's hash is the commitment, and
// the dice follow from the secret and the shooter's own bytes.

import { chacha20 } from "@noble/ciphers/chacha.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

/** All a roll follows from. */
export interface Throw {
  table: string;
  number: number;
  commitment: string;
  secret: string;
  shooterBytes: string;
  dice: string;
}

export type Checked =
  | { ok: true; hash: string }
  | { ok: false; hash: string; wrong: "commitment" | "dice"; dice: string };

/** Works a roll out again. */
export function checkRoll(thrown: Throw): Checked {
  const secret = hexToBytes(thrown.secret);
  const hash = bytesToHex(sha256(secret));
  const dice = throwDice(thrown, secret);
  if (hash !== thrown.commitment) return { ok: false, hash, wrong: "commitment", dice };
  if (dice !== thrown.dice) return { ok: false, hash, wrong: "dice", dice };
  return { ok: true, hash };
}

function throwDice({ table, number, shooterBytes }: Throw, secret: Uint8Array): string {
  const message = new Uint8Array(44);
  const view = new DataView(message.buffer);
  view.setUint32(0, tableNumber(table));
  view.setBigUint64(4, BigInt(number));
  message.set(hexToBytes(shooterBytes), 12);
  const key = hmac(sha256, secret, message);
  const stream = chacha20(key, new Uint8Array(12), new Uint8Array(256));
  const byte = stream.find((value) => value < 252) ?? 0;
  return `${Math.floor((byte % 36) / 6) + 1}-${(byte % 6) + 1}`;
}

/** A table's name is its number in base 32. */
export function tableNumber(table: string): number {
  return [...table].reduce((number, digit) => number * 32 + DIGITS.indexOf(digit), 0);
}
