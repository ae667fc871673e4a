import type { VerifiedEvent } from 'nostr-tools/pure';
import { isHex64, levels, players, rootGame, tag, tagValue, tagValues } from './events.js';
import { parseRatedRecord } from './rated-tags.js';
import { INITIAL_FEN, parseDialect, parseFen, parseResult, parseSan, parseTermination } from './states.js';
import { parseTimeControl, UNTIMED } from './time-control.js';
import type { GameRecord } from './types.js';

/** Reads a record (kind 64); `undefined` if it is malformed. */
export function parseRecord(event: VerifiedEvent): GameRecord | undefined {
  const gameId = rootGame(event);
  const keys = players(event);
  const result = parseResult(tagValue(event, 'result'));
  if (!isHex64(gameId) || !keys || !result) {
    return undefined;
  }
  const headers = pgnHeaders(event.content);
  const { sans, clocks } = pgnMoves(event.content);
  const rated = parseRatedRecord(event);
  return {
    id: event.id,
    gameId,
    white: keys[0],
    black: keys[1],
    levels: levels(event),
    result,
    termination: parseTermination(tagValue(event, 'termination')),
    time: parseTimeControl(headers.get('TimeControl') ?? '') ?? UNTIMED,
    at: event.created_at * 1000,
    startFen: parseFen(headers.get('FEN')) ?? INITIAL_FEN,
    pgn: event.content,
    sans,
    clocks,
    plies: (tag(event, 'plies') ?? []).slice(1).filter(isHex64),
    ending: tagValues(event, 'ending').filter(isHex64),
    ...parseDialect(event),
    ...(rated && { rated }),
    event,
  };
}

function pgnHeaders(pgn: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const [, name, value] of pgn.matchAll(/^\[(\w{1,40}) "([^"\n]{0,500})"\]$/gm)) {
    headers.set(name as string, value as string);
  }
  return headers;
}

/** The moves of a PGN in the relay's export format, which has comments but no variations. */
function pgnMoves(pgn: string): { sans: string[]; clocks: (number | undefined)[] } {
  const sans: string[] = [];
  const clocks: (number | undefined)[] = [];
  const movetext = pgn.slice(pgn.indexOf('\n\n') + 2);
  for (const [token] of movetext.matchAll(/\{[^}]*\}|[^\s{}]+/g)) {
    if (token.startsWith('{')) {
      const clock = /\[%clk (\d{1,6}):(\d{1,2}):(\d{1,2}(?:\.\d{1,3})?)\]/.exec(token);
      if (clock && sans.length > 0) {
        const [, hours, minutes, seconds] = clock.map(Number);
        clocks[sans.length - 1] = ((hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0)) * 1000;
      }
    } else if (parseSan(token)) {
      sans.push(token);
      clocks.push(undefined);
    }
  }
  return { sans, clocks };
}
