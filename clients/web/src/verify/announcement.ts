/** The event that began a game. */
import { type TimeControl, parseTimeControl } from 'gambit-client';
import { type Color, INITIAL_FEN, outcomeOf, positionOf } from '../board/position.js';
import { LOBBY, type NostrEvent, firstTag, isHex, isJob, repeatsTag, tagsNamed } from './events.js';

/** The players, the first position and the time control of a game, from its `gameisfound`. */
export interface Announcement {
  /** The id of that event, which is also the id of the game. */
  readonly game: string;
  readonly white: string;
  readonly black: string;
  /** The levels of the relay's own player, by its side. */
  readonly levels: { readonly white: string | undefined; readonly black: string | undefined };
  /** The key of the event's author, the referee of this game. */
  readonly relay: string;
  readonly startFen: string;
  readonly time: TimeControl;
  /** In seconds; undefined in a game of kind 30, whose start has the time of its author's clock. */
  readonly startedAt: number | undefined;
  /** Whether the players' events are of kind 30. */
  readonly isJester?: boolean;
}

/** Reads an announcement; undefined if the event does not announce a game. */
export function parseAnnouncement(event: NostrEvent): Announcement | undefined {
  const players = playersOf(event);
  const startFen = firstTag(event, 'fen') ?? INITIAL_FEN;
  const position = positionOf(startFen);
  const time = parseTimeControl(firstTag(event, 'time') ?? '');
  if (
    event.kind !== LOBBY ||
    event.content !== 'gameisfound' ||
    tagsNamed(event, 'e').length > 0 ||
    isJob(event) ||
    repeatsTag(event, 'time') ||
    repeatsTag(event, 'fen') ||
    !players ||
    !time ||
    !position ||
    outcomeOf(position, 1)
  ) {
    return undefined;
  }
  return {
    game: event.id,
    ...players,
    levels: levelsOf(event),
    relay: event.pubkey,
    startFen,
    time,
    startedAt: event.created_at,
  };
}

/** Whether an event names the two players with the same sides and levels as the announcement. */
export function namesPlayers(announcement: Announcement, event: NostrEvent): boolean {
  return (
    playerOf(event, 'white') === announcement.white &&
    playerOf(event, 'black') === announcement.black &&
    levelOf(event, 'white') === announcement.levels.white &&
    levelOf(event, 'black') === announcement.levels.black
  );
}

/** The side of a player of this game. */
export function sideOf(announcement: Announcement, pubkey: string): Color {
  return pubkey === announcement.white ? 'white' : 'black';
}

/** The two players that an event names. */
export function playersOf(event: NostrEvent): Pick<Announcement, 'white' | 'black'> | undefined {
  const white = playerOf(event, 'white');
  const black = playerOf(event, 'black');
  return white && black && white !== black ? { white, black } : undefined;
}

/** The levels of the relay's own player in an event about a game. */
export function levelsOf(event: NostrEvent): Announcement['levels'] {
  return { white: levelOf(event, 'white'), black: levelOf(event, 'black') };
}

function playerOf(event: NostrEvent, color: Color): string | undefined {
  const keys = tagsNamed(event, 'p')
    .filter((tag) => tag[3] === color)
    .map((tag) => tag[1]);
  return keys.length === 1 && isHex(keys[0], 64) ? keys[0] : undefined;
}

function levelOf(event: NostrEvent, color: Color): string | undefined {
  return tagsNamed(event, 'p').find((tag) => tag[3] === color)?.[4];
}
