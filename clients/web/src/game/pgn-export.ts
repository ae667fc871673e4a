/** The PGN of a game that has no record yet. */
import type { PlayerLevels, RatedStart } from 'gambit-client';
import type { Ply } from '../board/line.js';
import { INITIAL_FEN, moveNumberOf, turnOf } from '../board/position.js';

/** The facts about a game that its PGN contains. */
export interface PgnSource {
  readonly white: string;
  readonly black: string;
  readonly levels?: PlayerLevels;
  readonly rated?: RatedStart | undefined;
  readonly site: string;
  readonly startFen: string;
  readonly time: string;
  readonly result: string;
  readonly plies: readonly Ply[];
  /** When the game began, in seconds, if it is known. */
  readonly startedAt?: number;
}

/** Writes a game in PGN's export format (PGN standard 8): the seven tag roster, then the others. */
export function exportPgn(game: PgnSource): string {
  const date = game.startedAt === undefined ? '????.??.??' : dateOf(game.startedAt);
  const tags: [string, string][] = [
    ['Event', game.rated ? `Rated ${game.rated.category} game` : 'Casual game'],
    ['Site', game.site],
    ['Date', date],
    ['Round', '-'],
    ['White', game.white],
    ['Black', game.black],
    ['Result', game.result],
  ];
  if (game.rated) {
    tags.push(['BlackElo', String(game.rated.black.rating)]);
  }
  if (game.levels?.black) {
    tags.push(['BlackLevel', String(game.levels.black)], ['BlackType', 'program']);
  }
  if (game.startFen !== INITIAL_FEN) {
    tags.push(['FEN', game.startFen], ['SetUp', '1']);
  }
  tags.push(['TimeControl', game.time]);
  if (game.rated) {
    tags.push(['WhiteElo', String(game.rated.white.rating)]);
  }
  if (game.levels?.white) {
    tags.push(['WhiteLevel', String(game.levels.white)], ['WhiteType', 'program']);
  }
  return pgnOf(tags.map(([name, value]) => [name, value.replace(/[^ -~]/g, '?')]), movetext(game));
}

/** Writes tags and the tokens of a movetext, in lines of at most 79 characters unless a token is longer. */
export function pgnOf(tags: readonly (readonly [name: string, value: string])[], tokens: readonly string[]): string {
  const head = tags.map(([name, value]) => `[${name} "${value.replace(/\p{Cc}/gu, '?').replace(/["\\]/g, '\\$&')}"]`).join('\n');
  return `${head}\n\n${inLines(tokens)}\n`;
}

function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10).replace(/-/g, '.');
}

function movetext(game: PgnSource): string[] {
  const moves = game.plies.flatMap((ply, i) => {
    if (ply.color === 'white') {
      return [`${ply.number}.`, ply.san];
    }
    return i === 0 ? [`${moveNumberOf(game.startFen)}...`, ply.san] : [ply.san];
  });
  return [...moves, game.result];
}

function inLines(tokens: readonly string[]): string {
  const lines: string[] = [];
  let line = '';
  for (const token of tokens) {
    if (line && line.length + 1 + token.length > 79) {
      lines.push(line);
      line = '';
    }
    line = line ? `${line} ${token}` : token;
  }
  return [...lines, line].join('\n');
}

/** The moves numbered in pairs, for the list: a game may begin with a move of Black. */
export function movePairs(startFen: string, plies: readonly Ply[]): { number: number; white?: number; black?: number }[] {
  const rows: { number: number; white?: number; black?: number }[] = [];
  let turn = turnOf(startFen);
  let number = moveNumberOf(startFen);
  plies.forEach((_, i) => {
    const last = rows.at(-1);
    if (turn === 'white' || !last) {
      rows.push(turn === 'white' ? { number, white: i + 1 } : { number, black: i + 1 });
    } else {
      last.black = i + 1;
    }
    number += turn === 'black' ? 1 : 0;
    turn = turn === 'white' ? 'black' : 'white';
  });
  return rows;
}
