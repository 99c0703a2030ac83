// Confetti that falls over a canvas as large as the window, for as long as it is there.

const COLOURS = [
  "--sign-digits",
  "--sign-bright",
  "--sign-gold",
  "--ink-red",
  "--sign-gold-lit",
] as const;

interface Piece {
  x: number;
  y: number;
  speed: number;
  drift: number;
  spin: number;
  size: number;
  colour: string;
}

/** So many pieces; none where less motion is wished for. */
export const confetti = (count: number) => (canvas: HTMLCanvasElement) => {
  const paint = canvas.getContext("2d");
  if (!paint || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const resize = () => {
    canvas.width = innerWidth;
    canvas.height = innerHeight;
  };
  resize();
  addEventListener("resize", resize);
  const tokens = getComputedStyle(canvas);
  const colours = COLOURS.map((token) => tokens.getPropertyValue(token));
  const pieces: Piece[] = Array.from({ length: count }, (_, index) => ({
    x: Math.random(),
    y: Math.random() * 1.6 - 1,
    speed: 0.18 + Math.random() * 0.26,
    drift: (Math.random() - 0.5) * 0.08,
    spin: Math.random() * 6,
    size: 0.008 + Math.random() * 0.012,
    colour: colours[index % colours.length] ?? "",
  }));
  let last = performance.now();
  let frame = requestAnimationFrame(function draw(now) {
    const passed = Math.min(0.05, (now - last) / 1000);
    last = now;
    const { width, height } = canvas;
    paint.clearRect(0, 0, width, height);
    for (const piece of pieces) {
      piece.y += piece.speed * passed;
      piece.x += piece.drift * passed;
      piece.spin += 4 * passed;
      if (piece.y > 1.05) piece.y = -0.1;
      const size = piece.size * Math.max(width, height) * 0.7;
      paint.save();
      paint.translate(piece.x * width, piece.y * height);
      paint.rotate(piece.spin);
      paint.scale(1, Math.cos(piece.spin * 1.7));
      paint.fillStyle = piece.colour;
      paint.fillRect(-size / 2, -size / 4, size, size / 2);
      paint.restore();
    }
    frame = requestAnimationFrame(draw);
  });
  return () => {
    cancelAnimationFrame(frame);
    removeEventListener("resize", resize);
  };
};
