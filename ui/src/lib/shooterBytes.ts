// The shooter's part of the dice. It is apart from what checks them, which is loaded when somebody
// wants to.

/** 32 bytes of the shooter's own, for a roll nobody can foresee. */
export function shooterBytes(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
