/** Names of openings by their positions, so that another order of the moves has the same name. */
import { Chess } from 'chess.js';
import text from './openings.txt?raw';

export interface Opening {
  /** The code of the Encyclopaedia of Chess Openings. */
  readonly eco: string;
  readonly name: string;
}

let table: Map<string, Opening> | undefined;

/** The name of the last position that has one; undefined if none has. */
export function openingOf(fens: readonly string[]): Opening | undefined {
  table ??= read();
  for (const fen of [...fens].reverse()) {
    const found = table.get(keyOf(fen));
    if (found) return found;
  }
  return undefined;
}

/** Lines of `code name: moves in SAN`. A line that begins like the one before is played on from there. */
function read(): Map<string, Opening> {
  const openings = new Map<string, Opening>();
  const position = new Chess();
  let played: string[] = [];
  for (const line of text.split('\n').filter((it) => it !== '')) {
    const [, eco = '', name = '', moves = ''] = /^(\w\d\d) (.*): ([^:]*)$/.exec(line)!;
    const sans = moves.split(' ');
    const same = played.findIndex((san, i) => san !== sans[i]);
    for (let left = played.length - (same < 0 ? played.length : same); left > 0; left--) position.undo();
    sans.slice(same < 0 ? played.length : same).forEach((san) => position.move(san));
    played = sans;
    openings.set(keyOf(position.fen()), { eco, name });
  }
  return openings;
}

/** Pieces and side to move. */
function keyOf(fen: string): string {
  return fen.split(' ').slice(0, 2).join(' ');
}
