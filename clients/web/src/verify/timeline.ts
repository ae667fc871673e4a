/** Bounds on the arrival times of a game's events. */
import type { Color } from '../board/position.js';
import type { NostrEvent } from './events.js';
import { date } from '../language/format.js';
import { t } from '../language/t.js';

/**
 * Bounds on arrivals, derived from `created_at`: a relay accepts only events whose `created_at` is
 * within `chess.max_clock_skew` of their arrival. In seconds of Unix time.
 */
export class Timeline {
  readonly #begin: number;
  readonly #skew: number;
  /** For each side, the earliest possible arrival of its last move. */
  readonly #lastMoves = new Map<Color, number>();
  /** The time at which the game ended, as the relay attests it. */
  readonly end: number;

  /**
   * @param begin `created_at` of the game's announcement
   * @param end `created_at` of its record
   * @param skew the greatest distance between `created_at` of an event and its arrival
   */
  constructor(begin: number, end: number, skew: number) {
    this.#begin = begin;
    this.end = end;
    this.#skew = skew;
  }

  /** The reason why the event cannot have arrived during the game; undefined if it can. */
  outsideGame(event: NostrEvent): string | undefined {
    if (event.created_at + this.#skew < this.#begin) {
      return t('the event {id} was signed at {time}, before the game began', { id: event.id, time: signedAt(event) });
    }
    return event.created_at - this.#skew > this.end
      ? t('the event {id} was signed at {time}, after the game had ended', { id: event.id, time: signedAt(event) })
      : undefined;
  }

  /** The reason why the event must have arrived before a side's last move; undefined if it need not. */
  beforeLastMove(side: Color, event: NostrEvent): string | undefined {
    return event.created_at + this.#skew < (this.#lastMoves.get(side) ?? this.#begin)
      ? t('the event {id} was signed at {time}, before the move that it follows', { id: event.id, time: signedAt(event) })
      : undefined;
  }

  /** Adds a valid move of a side. */
  addMove(side: Color, event: NostrEvent): void {
    const earliest = event.created_at - this.#skew;
    this.#lastMoves.set(side, Math.max(this.#lastMoves.get(side) ?? earliest, earliest));
  }

  /** The earliest possible time of a side's last move, or of the start if it has not moved. */
  earliestLastMove(side: Color): number {
    return Math.max(this.#begin, this.#lastMoves.get(side) ?? this.#begin);
  }
}

function signedAt({ created_at }: NostrEvent): string {
  return date(created_at * 1000, { dateStyle: 'medium', timeStyle: 'medium' });
}
