import { encode } from 'uqr';
import './qr-code.css';

/** The white edge around the squares, in squares, which scanners need. */
const EDGE = 4;

/** A text as a QR code: dark on light in every colour scheme, as scanners expect. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'L', border: 0 });
  const path = data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + EDGE} ${y + EDGE}h1v1h-1z` : '')))
    .join('');
  return (
    <svg class="qr-code" role="img" aria-label={label} viewBox={`0 0 ${size + 2 * EDGE} ${size + 2 * EDGE}`} shape-rendering="crispEdges">
      <rect class="qr-light" width="100%" height="100%" />
      <path class="qr-dark" d={path} />
    </svg>
  );
}
