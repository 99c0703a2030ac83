// The sound of a table: dice on felt, and the stick's voice where the browser has one.

let context: AudioContext | null = null;

/** Dice that knock twice and settle. */
export function rattle(): void {
  try {
    context ??= new AudioContext();
    const now = context.currentTime;
    for (const [at, loud] of [
      [0, 0.5],
      [0.12, 0.35],
      [0.2, 0.5],
      [0.33, 0.25],
      [0.45, 0.15],
    ] as const)
      knock(context, now + at, loud);
  } catch {
    // Silence is no fault.
  }
}

function knock(context: AudioContext, at: number, loud: number): void {
  const length = 0.05;
  const buffer = context.createBuffer(1, context.sampleRate * length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index++)
    samples[index] = (Math.random() * 2 - 1) * (1 - index / samples.length) ** 3;
  const source = context.createBufferSource();
  source.buffer = buffer;
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = 1_400 + Math.random() * 900;
  const gain = context.createGain();
  gain.gain.value = loud;
  source.connect(filter).connect(gain).connect(context.destination);
  source.start(at);
}

/** The stick's call. */
export function say(text: string): void {
  if (!("speechSynthesis" in globalThis)) return;
  speechSynthesis.cancel();
  const words = new SpeechSynthesisUtterance(text);
  words.rate = 1.1;
  speechSynthesis.speak(words);
}
