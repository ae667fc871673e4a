/** Reads one game in PGN's import format, as strictly as the relay does. */
import type { Chess, Move } from 'chess.js';
import { Line, type Ply } from '../board/line.js';
import { INITIAL_FEN, type PieceSymbol, moveNumberOf, uciOf } from '../board/position.js';
import { t } from '../language/t.js';

/** A game that was read from PGN. */
export interface PgnGame {
  readonly tags: ReadonlyMap<string, string>;
  readonly line: Line;
  /** For each ply, the clock in tenths of a second; undefined if it has none. */
  readonly clocks: readonly (number | undefined)[];
  readonly result: string;
}

/** A text that is not one game in PGN. */
export class PgnError extends Error {}

/** The most characters of a game. */
export const MAX_PGN_LENGTH = 1 << 20;
const MAX_QUOTED = 80;
const RESULTS = ['1-0', '0-1', '1/2-1/2', '*'];
const SAN = /^([KQRBNP]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=?([QRBN]))?(\+{0,2}|#)[!?]{0,2}$/;
const CASTLING = /^(?:O-O|0-0)(-O|-0)?(\+{0,2}|#)[!?]{0,2}$/;
const CLOCK = /\[%clk\s+(\d{1,6}):([0-5]?\d):([0-5]?\d)(?:\.(\d)\d*)?\s*]/;

/**
 * Reads a game: any white space, comments, NAGs and variations, tags in any order, move numbers or
 * none. Move numbers, check marks and the tag `Result` must be true.
 *
 * @throws PgnError if the text is not one game in PGN
 */
export function readPgn(text: string): PgnGame {
  if (text.length > MAX_PGN_LENGTH) {
    throw new PgnError(t('it is longer than any game'));
  }
  if (/[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/.test(text)) {
    throw new PgnError(t('control characters are not allowed'));
  }
  return new Reader(text).read();
}

class Reader {
  readonly #text: string;
  readonly #tags = new Map<string, string>();
  readonly #clocks: (number | undefined)[] = [];
  #at = 0;
  #line!: Line;
  #result: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  read(): PgnGame {
    this.#skipSpace();
    while (this.#text[this.#at] === '[') {
      this.#tag();
      this.#skipSpace();
    }
    const fen = this.#tags.get('FEN') ?? INITIAL_FEN;
    const line = Line.from(fen);
    if (!line) {
      throw new PgnError(t('FEN is not a position: {text}', { text: quoted(fen) }));
    }
    this.#line = line;
    while (this.#at < this.#text.length) {
      this.#element();
      this.#skipSpace();
    }
    if (this.#result === undefined) {
      throw new PgnError(t('missing result at the end'));
    }
    const tagged = this.#tags.get('Result') ?? this.#result;
    if (tagged !== this.#result) {
      throw new PgnError(
        t('the tag Result is {tagged}, and the moves end with {result}', { tagged: quoted(tagged), result: this.#result }),
      );
    }
    return { tags: this.#tags, line, clocks: this.#clocks, result: this.#result };
  }

  /** Skips white space, rest-of-line comments and escaped lines. */
  #skipSpace(): void {
    const text = this.#text;
    while (this.#at < text.length) {
      const c = text[this.#at]!;
      const isLineStart = this.#at === 0 || /[\n\r]/.test(text[this.#at - 1]!);
      if (c === ';' || (c === '%' && isLineStart)) {
        while (this.#at < text.length && !/[\n\r]/.test(text[this.#at]!)) {
          this.#at++;
        }
      } else if (/[ \t-\r\ufeff]/.test(c)) {
        this.#at++;
      } else {
        return;
      }
    }
  }

  #tag(): void {
    const pattern = /\[[ \t-\r]*([A-Za-z0-9_]+)[ \t-\r]*"((?:[^"\\\n\r\t]|\\.)*)"[ \t-\r]*]/y;
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (!match) {
      throw new PgnError(t('not a tag pair: {text}', { text: quoted(this.#text.slice(this.#at)) }));
    }
    const [whole, name = '', value = ''] = match;
    if (this.#tags.has(name)) {
      throw new PgnError(t('duplicate tag: {tag}', { tag: quoted(name) }));
    }
    this.#tags.set(name, value.replace(/\\(.)/g, '$1'));
    this.#at += whole.length;
  }

  #element(): void {
    switch (this.#text[this.#at]) {
      case '{':
        this.#clock(this.#comment());
        break;
      case '(':
        this.#variation();
        break;
      case '$':
        this.#glyph();
        break;
      default:
        this.#word(this.#next());
    }
  }

  /** Reads a comment in braces, which do not nest. */
  #comment(): string {
    const end = this.#text.indexOf('}', this.#at);
    if (end < 0) {
      throw new PgnError(t('unterminated comment: {text}', { text: quoted(this.#text.slice(this.#at)) }));
    }
    const comment = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return comment;
  }

  /** Skips a variation, and the variations within it. */
  #variation(): void {
    const start = this.#at;
    let depth = 0;
    do {
      this.#skipSpace();
      const c = this.#text[this.#at];
      if (c === undefined) {
        throw new PgnError(t('unterminated variation: {text}', { text: quoted(this.#text.slice(start)) }));
      } else if (c === '{') {
        this.#comment();
      } else {
        depth += c === '(' ? 1 : c === ')' ? -1 : 0;
        this.#at++;
      }
    } while (depth > 0);
  }

  /** Skips a NAG. */
  #glyph(): void {
    const digits = /^\$(\d{0,4})/.exec(this.#text.slice(this.#at, this.#at + 6))?.[1] ?? '';
    if (digits.length === 0 || digits.length > 3) {
      throw new PgnError(t('not a NAG: {text}', { text: quoted(`$${digits}`) }));
    }
    this.#at += 1 + digits.length;
  }

  #next(): string {
    const pattern = /[^ \t-\r{}()[\]<>;$"]+/y;
    pattern.lastIndex = this.#at;
    const word = pattern.exec(this.#text)?.[0];
    if (word === undefined) {
      throw new PgnError(t('not a move: {text}', { text: quoted(this.#text.slice(this.#at)) }));
    }
    this.#at += word.length;
    return word;
  }

  /** Reads a move, a move number, both of them, or the result. */
  #word(word: string): void {
    if (this.#result !== undefined) {
      throw new PgnError(t('text after the result: {text}', { text: quoted(word) }));
    }
    if (RESULTS.includes(word)) {
      this.#result = word;
      return;
    }
    const number = /^(\d{1,6})(\.*)/.exec(word);
    const isNumbered = number && (number[0].length === word.length || number[2] !== '');
    if (isNumbered && Number(number[1]) !== moveNumberOf(this.#line.fen)) {
      throw new PgnError(
        t('ply {ply} has the wrong number: {text}', { ply: this.#line.plies.length + 1, text: quoted(word) }),
      );
    }
    const move = isNumbered ? word.slice(number[0].length) : word.replace(/^\.+/, '');
    if (move !== '' && !/^[!?]{1,2}$/.test(move)) {
      this.#play(move);
    }
  }

  #play(san: string): void {
    const ply = this.#line.plies.length + 1;
    if (this.#line.outcome) {
      throw new PgnError(t('ply {ply} comes after the end of the game', { ply }));
    }
    const found = moveOfSan(san, this.#line.position);
    const played = found && this.#line.play(uciOf(found.move));
    if (!played || !isMarkTrue(found.mark, played)) {
      throw new PgnError(t('ply {ply} is not a legal move in SAN: {text}', { ply, text: quoted(san) }));
    }
    this.#clocks.push(undefined);
  }

  /** Sets the clock of the last move if the comment contains one. */
  #clock(comment: string): void {
    const ply = this.#line.plies.length;
    if (!comment.includes('[%clk') || ply === 0) {
      return;
    }
    const clock = CLOCK.exec(comment);
    if (!clock) {
      throw new PgnError(t('ply {ply} has no readable clock: {text}', { ply, text: quoted(comment) }));
    }
    const [, hours, minutes, seconds, tenth] = clock;
    this.#clocks[ply - 1] =
      ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 10 + Number(tenth ?? 0);
  }
}

/** Whether a check mark, if there is one, is true. */
export function isMarkTrue(mark: string, ply: Ply): boolean {
  return mark === '' || (mark === '#' ? ply.mate : ply.check);
}

/** The only legal move that fits a SAN, with its check mark; undefined if there is none or more. */
export function moveOfSan(san: string, position: Chess): { move: Move; mark: string } | undefined {
  const castling = CASTLING.exec(san);
  if (castling) {
    const move = position.moves({ piece: 'k', verbose: true }).find((it) => (castling[1] ? it.isQueensideCastle() : it.isKingsideCastle()));
    return move && { move, mark: castling[2] ?? '' };
  }
  const form = SAN.exec(san);
  if (!form) {
    return undefined;
  }
  const [, letter = '', from = '', captures, to, promotion, mark = ''] = form;
  const piece = (letter === '' ? 'p' : letter.toLowerCase()) as PieceSymbol;
  const fitting = position.moves({ piece, verbose: true }).filter(
    (move) =>
      move.to === to &&
      move.promotion === promotion?.toLowerCase() &&
      !move.isKingsideCastle() &&
      !move.isQueensideCastle() &&
      [...from].every((char) => move.from.includes(char)) &&
      (captures === '' || move.isCapture() || move.isEnPassant()),
  );
  return fitting.length === 1 && fitting[0] ? { move: fitting[0], mark } : undefined;
}

function quoted(text: string): string {
  const line = text.split(/[\n\r]/)[0] ?? '';
  return `"${line.length <= MAX_QUOTED ? line : `${line.slice(0, MAX_QUOTED)}...`}"`;
}
