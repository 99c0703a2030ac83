// Checking the house's dice: was the secret the one committed to, and do the dice follow from it
// and from the shooter's bytes? Written out here from the published recipe (docs/live.md), apart
// from the code that threw them.

import { chacha20 } from "@noble/ciphers/chacha.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";

export interface Thrown {
  table: string;
  /** Which roll of the table. */
  number: number;
  /** What the house had shown before betting opened. */
  commitment: string;
  secret: string;
  shooterBytes: string;
  dice: string;
}

export interface Checked {
  /** SHA-256 of the secret. */
  hash: string;
  /** The key of the stream, and the byte that became the dice. */
  key: string;
  byte: number;
  dice: string;
  committed: boolean;
  followed: boolean;
}

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

/** A table's number out of its name. */
export function tableNumber(id: string): number {
  return [...id].reduce((sum, digit) => sum * 32 + DIGITS.indexOf(digit), 0);
}

/** Throws the dice again. */
export function checkRoll(thrown: Thrown): Checked {
  const secret = hexToBytes(thrown.secret);
  const hash = bytesToHex(sha256(secret));
  const message = new Uint8Array(12 + 32);
  const view = new DataView(message.buffer);
  view.setUint32(0, tableNumber(thrown.table));
  view.setBigUint64(4, BigInt(thrown.number));
  message.set(hexToBytes(thrown.shooterBytes), 12);
  const key = hmac(sha256, secret, message);
  const stream = chacha20(key, new Uint8Array(12), new Uint8Array(256));
  // 252 is seven times 36: beyond it the byte is drawn again, so that every roll is as likely.
  const byte = stream.find((byte) => byte < 252) ?? 0;
  const dice = `${Math.floor((byte % 36) / 6) + 1}-${(byte % 6) + 1}`;
  return {
    hash,
    key: bytesToHex(key),
    byte,
    dice,
    committed: hash === thrown.commitment,
    followed: dice === thrown.dice,
  };
}
