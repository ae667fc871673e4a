/**
 * Draws the page's icon, a pawn on a square, into public/icons: as SVG, and as PNG for systems that
 * take no SVG. The PNGs are sampled from the same shapes, so nothing but Node is needed.
 */
import { writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';

const SQUARE = [0x1c, 0x72, 0x54];
const PAWN = [0xfb, 0xf8, 0xf0];
const SAMPLES_A_SIDE = 4;

/** The pawn in a square of 100 units: a head, a collar, a flaring body and a base. */
const head = { x: 50, y: 31, r: 13 };
const collar = { x: 35, y: 43, width: 30, height: 6, r: 3 };
const base = { x: 26, y: 71, width: 48, height: 10, r: 4 };
const body = { top: 46, bottom: 73, narrow: 7.5, wide: 19 };

/** Half the width of the body at a height: it flares towards the base. */
function halfWidth(y) {
  const t = (y - body.top) / (body.bottom - body.top);
  return body.narrow + (body.wide - body.narrow) * t * t;
}

function inRounded(x, y, { x: left, y: top, width, height, r }) {
  const dx = Math.max(left + r - x, 0, x - (left + width - r));
  const dy = Math.max(top + r - y, 0, y - (top + height - r));
  return dx * dx + dy * dy <= r * r;
}

function inPawn(x, y) {
  return (
    (x - head.x) ** 2 + (y - head.y) ** 2 <= head.r ** 2 ||
    inRounded(x, y, collar) ||
    inRounded(x, y, base) ||
    (y >= body.top && y <= body.bottom && Math.abs(x - 50) <= halfWidth(y))
  );
}

function svg() {
  // The flare as one quadratic curve: its control point is where the tangents of both ends meet.
  const { top, bottom, narrow, wide } = body;
  const middle = (top + bottom) / 2;
  const rounded = ({ x, y, width, height, r }) =>
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${r}"/>`;
  const hex = (colour) => `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">` +
    `<rect width="100" height="100" rx="22" fill="${hex(SQUARE)}"/><g fill="${hex(PAWN)}">` +
    `<circle cx="${head.x}" cy="${head.y}" r="${head.r}"/>${rounded(collar)}` +
    `<path d="M${50 - narrow} ${top}Q${50 - narrow} ${middle} ${50 - wide} ${bottom}` +
    `H${50 + wide}Q${50 + narrow} ${middle} ${50 + narrow} ${top}Z"/>${rounded(base)}</g></svg>\n`
  );
}

/** The pixels of an icon, four bytes each; `scale` shrinks the pawn, `corner` rounds the square. */
function pixels(size, scale, corner) {
  const out = Buffer.alloc(size * size * 4);
  const whole = { x: 0, y: 0, width: 100, height: 100, r: corner };
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      let square = 0;
      let pawn = 0;
      for (let i = 0; i < SAMPLES_A_SIDE ** 2; i++) {
        const x = ((column + ((i % SAMPLES_A_SIDE) + 0.5) / SAMPLES_A_SIDE) * 100) / size;
        const y = ((row + (Math.floor(i / SAMPLES_A_SIDE) + 0.5) / SAMPLES_A_SIDE) * 100) / size;
        if (!inRounded(x, y, whole)) continue;
        square++;
        if (inPawn((x - 50) / scale + 50, (y - 50) / scale + 50)) pawn++;
      }
      const share = square === 0 ? 0 : pawn / square;
      const at = (row * size + column) * 4;
      for (let part = 0; part < 3; part++) {
        out[at + part] = Math.round(SQUARE[part] + (PAWN[part] - SQUARE[part]) * share);
      }
      out[at + 3] = Math.round((255 * square) / SAMPLES_A_SIDE ** 2);
    }
  }
  return out;
}

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

/** A PNG with 8 bits for each of red, green, blue and alpha. */
function png(size, rgba) {
  const chunk = (type, data) => {
    const out = Buffer.alloc(12 + data.length);
    out.writeUInt32BE(data.length, 0);
    out.write(type, 4, 'latin1');
    data.copy(out, 8);
    out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length);
    return out;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header[8] = 8;
  header[9] = 6;
  const lines = Buffer.alloc(size * (size * 4 + 1));
  for (let row = 0; row < size; row++) {
    rgba.copy(lines, row * (size * 4 + 1) + 1, row * size * 4, (row + 1) * size * 4);
  }
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const folder = new URL('../public/icons/', import.meta.url);
const write = (name, data) => writeFileSync(new URL(name, folder), data);
write('icon.svg', svg());
write('icon-192.png', png(192, pixels(192, 1, 22)));
write('icon-512.png', png(512, pixels(512, 1, 22)));
// iOS rounds the corners itself; Android's masks may cut away a fifth on each side.
write('icon-180.png', png(180, pixels(180, 1, 0)));
write('maskable-512.png', png(512, pixels(512, 0.8, 0)));
