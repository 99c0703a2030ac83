// The sound of a table: dice on felt, chips that click, a jackpot, and the stick's voice where the
// browser has one. Nothing is heard of a page that nobody has touched yet.

let context: AudioContext | null = null;

/** What to play on, and the moment that is now; nothing before the first click or key. */
function now(): { audio: AudioContext; at: number } | null {
  if (!globalThis.navigator?.userActivation?.hasBeenActive) return null;
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") void context.resume();
    return { audio: context, at: context.currentTime };
  } catch {
    // Silence is no fault.
    return null;
  }
}

/** Dice that knock twice and settle. */
export function rattle(): void {
  const start = now();
  if (!start) return;
  for (const [later, loud] of [
    [0, 0.5],
    [0.12, 0.35],
    [0.2, 0.5],
    [0.33, 0.25],
    [0.45, 0.15],
  ] as const)
    knock(start.audio, start.at + later, loud, 1_400 + Math.random() * 900);
}

/** Chips put on chips, softly. */
export function click(): void {
  const start = now();
  if (!start) return;
  for (const [later, loud] of [
    [0.1, 0.14],
    [0.17, 0.2],
    [0.26, 0.12],
  ] as const)
    knock(start.audio, start.at + later, loud, 3_800 + Math.random() * 500);
}

/** A small fanfare: a chord, climbed. */
export function fanfare(): void {
  const start = now();
  if (!start) return;
  for (const [later, pitch, length] of [
    [0, 523.25, 0.22],
    [0.13, 659.25, 0.22],
    [0.26, 783.99, 0.22],
    [0.39, 1_046.5, 0.9],
    [0.39, 783.99, 0.9],
  ] as const)
    note(start.audio, start.at + later, pitch, length);
}

/** The bell of the crew: two notes, once. */
export function bell(): void {
  const start = now();
  if (!start) return;
  note(start.audio, start.at, 1_318.5, 0.5);
  note(start.audio, start.at + 0.18, 987.77, 0.9);
}

function knock(audio: AudioContext, at: number, loud: number, pitch: number): void {
  const length = 0.05;
  const buffer = audio.createBuffer(1, audio.sampleRate * length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index++)
    samples[index] = (Math.random() * 2 - 1) * (1 - index / samples.length) ** 3;
  const source = audio.createBufferSource();
  source.buffer = buffer;
  const filter = audio.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  const gain = audio.createGain();
  gain.gain.value = loud;
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start(at);
}

function note(audio: AudioContext, at: number, pitch: number, length: number): void {
  const source = audio.createOscillator();
  source.type = "triangle";
  source.frequency.value = pitch;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(0.12, at + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  source.connect(gain).connect(audio.destination);
  source.start(at);
  source.stop(at + length);
}

/** The stick's call. */
export function say(text: string): void {
  if (!("speechSynthesis" in globalThis) || !now()) return;
  speechSynthesis.cancel();
  const words = new SpeechSynthesisUtterance(text);
  words.rate = 1.1;
  speechSynthesis.speak(words);
}
