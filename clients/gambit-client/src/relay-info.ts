import { GambitError } from './errors.js';
import { isHex64, isNaturalNumber, isObject } from './events.js';
import type { RelayInfo } from './types.js';

const MAX_CHARACTERS = 200_000;
/** The most subscriptions of the client, also where the relay allows more. */
const MAX_SUBSCRIPTIONS = 200;

/**
 * Fetches and checks a relay's information document (NIP-11). Fails with a `GambitError` if it has no chess.
 *
 * @param onResponse gets the answer before its content
 */
export async function fetchRelayInfo(
  url: string,
  timeout: number,
  onResponse: (response: Response) => void = () => undefined,
): Promise<RelayInfo> {
  const response = await fetch(url.replace(/^ws/, 'http'), {
    headers: { accept: 'application/nostr+json' },
    cache: 'no-store',
    signal: AbortSignal.timeout(timeout),
  });
  onResponse(response);
  if (!response.ok) {
    throw new Error(`the relay's information document: status ${response.status}`);
  }
  const text = await response.text();
  if (text.length > MAX_CHARACTERS) {
    throw new GambitError("the relay's information document is too long");
  }
  return parseRelayInfo(url, JSON.parse(text));
}

/** Reads an information document. */
export function parseRelayInfo(url: string, document: unknown): RelayInfo {
  const chess = isObject(document) ? document.chess : undefined;
  if (!isObject(document) || !isHex64(document.self) || !isObject(chess)) {
    throw new GambitError('this relay does not referee chess');
  }
  const limitation = isObject(document.limitation) ? document.limitation : {};
  const supported_nips = numbers(document.supported_nips);
  const house = isObject(chess.house) ? chess.house : undefined;
  return {
    url,
    ...(typeof document.name === 'string' && { name: document.name.slice(0, 200) }),
    ...(typeof document.description === 'string' && {
      description: document.description.slice(0, 2000),
    }),
    referee: document.self,
    supported_nips,
    for_members: supported_nips.includes(43) && (limitation.restricted_writes === true || limitation.auth_required === true),
    max_subscriptions: Math.min(number(limitation.max_subscriptions, MAX_SUBSCRIPTIONS), MAX_SUBSCRIPTIONS),
    chess: {
      default_time: typeof chess.default_time === 'string' ? chess.default_time : '1/600',
      first_move_limit: number(chess.first_move_limit, 30),
      abandon_grace: number(chess.abandon_grace, 60),
      max_clock_skew: number(chess.max_clock_skew, 60),
      require_auth: chess.require_auth === true,
      slow_games: number(chess.slow_games, 0),
      reminders: chess.reminders === true,
      rated: chess.rated === true,
    },
    ...(typeof chess.engine === 'string' && { engine: chess.engine.slice(0, 200) }),
    ...(house &&
      isHex64(house.pubkey) && { house: { pubkey: house.pubkey, levels: numbers(house.levels) } }),
  };
}

function number(value: unknown, otherwise: number): number {
  return isNaturalNumber(value) ? value : otherwise;
}

function numbers(value: unknown): number[] {
  return Array.isArray(value) ? value.slice(0, 1000).filter(isNaturalNumber) : [];
}
