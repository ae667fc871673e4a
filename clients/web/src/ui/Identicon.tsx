import './identicon.css';

/** The hue of a player, 0 to 359, from the public key. */
export function hueOf(pubkey: string): number {
  return Number.parseInt(pubkey.slice(0, 6), 16) % 360;
}

/** Which of the 5 × 5 cells are filled; the right half mirrors the left one. */
export function cellsOf(pubkey: string): boolean[] {
  const bits = Number.parseInt(pubkey.slice(6, 10), 16);
  return Array.from({ length: 25 }, (_, cell) => {
    const column = cell % 5;
    const mirrored = column < 3 ? column : 4 - column;
    return ((bits >> (Math.floor(cell / 5) * 3 + mirrored)) & 1) === 1;
  });
}

/** A small picture drawn from a public key, so that players without a picture can be told apart. */
export function Identicon({ pubkey, size = 24 }: { pubkey: string; size?: number }) {
  const hue = hueOf(pubkey);
  const path = cellsOf(pubkey)
    .map((filled, cell) => (filled ? `M${(cell % 5) + 1} ${Math.floor(cell / 5) + 1}h1v1h-1z` : ''))
    .join('');
  return (
    <svg class="identicon" viewBox="0 0 7 7" width={size} height={size} aria-hidden="true" shape-rendering="crispEdges">
      <rect width="7" height="7" fill={`hsl(${hue} 35% 88%)`} />
      <path d={path} fill={`hsl(${hue} 45% 38%)`} />
    </svg>
  );
}
