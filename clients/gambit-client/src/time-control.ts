import type { Category } from './types.js';

/** A time control in the form of PGN's `TimeControl`: `300`, `300+3`, `1/600` or `-`. */
export interface TimeControl {
  /** The shortest form. */
  readonly text: string;
  readonly kind: 'game' | 'move' | 'untimed';
  /** Seconds for the game, or for each move; 0 in an untimed game. */
  readonly seconds: number;
  /** Seconds added after each move. */
  readonly increment: number;
  /** Whether the players have an hour or more for a move; their clocks run from the start. */
  readonly correspondence: boolean;
  /** Whether the game is slow: correspondence, or without clocks. Slow games run beside a live one. */
  readonly slow: boolean;
}

const MAX_SECONDS = 2_592_000;
const HOUR = 3600;

/** Reads a time control; `undefined` if the text is none. */
export function parseTimeControl(text: string): TimeControl | undefined {
  if (text === '-') {
    return { text, kind: 'untimed', seconds: 0, increment: 0, correspondence: false, slow: true };
  }
  const perMove = /^1\/(\d{1,7})$/.exec(text);
  if (perMove) {
    const seconds = Number(perMove[1]);
    const slow = seconds >= HOUR;
    return isTime(seconds)
      ? { text: `1/${seconds}`, kind: 'move', seconds, increment: 0, correspondence: slow, slow }
      : undefined;
  }
  const perGame = /^(\d{1,7})(?:\+(\d{1,7}))?$/.exec(text);
  if (!perGame) {
    return undefined;
  }
  const seconds = Number(perGame[1]);
  const increment = Number(perGame[2] ?? 0);
  if (!isTime(seconds) || increment > MAX_SECONDS) {
    return undefined;
  }
  return {
    text: increment === 0 ? `${seconds}` : `${seconds}+${increment}`,
    kind: 'game',
    seconds,
    increment,
    correspondence: increment >= HOUR,
    slow: increment >= HOUR,
  };
}

/** An untimed game, also the value of what is not known yet. */
export const UNTIMED: TimeControl = {
  text: '-',
  kind: 'untimed',
  seconds: 0,
  increment: 0,
  correspondence: false,
  slow: true,
};

/** The category in which games with a time control are rated; none without clocks. */
export function categoryOf({ kind, seconds, increment, correspondence }: TimeControl): Category | undefined {
  if (kind === 'untimed' || correspondence) {
    return correspondence ? 'correspondence' : undefined;
  }
  const expected = kind === 'move' ? 40 * seconds : seconds + 40 * increment;
  return expected < 180 ? 'bullet' : expected < 480 ? 'blitz' : expected < 1500 ? 'rapid' : 'classical';
}

function isTime(seconds: number): boolean {
  return seconds >= 1 && seconds <= MAX_SECONDS;
}
