import { leaderboards, type GambitClient } from 'gambit-client';
import type { Profiles } from '../app/profiles.js';
import { guestName } from '../ui/guest-name.js';
import { oneLine } from '../ui/names.js';

/** The players that a search shows. */
export const MAX_FOUND = 20;
/** The players among whom a name is searched where the relay does not search. */
const MAX_KNOWN = 500;
const RECENT_GAMES = 100;
/** The longest name that is searched for. */
export const MAX_QUERY_LENGTH = 64;

/** Whether the relay searches profiles (NIP-50). */
export function hasSearch(client: GambitClient): boolean {
  return client.info.supported_nips.includes(50);
}

/**
 * The players whose profile the relay finds (NIP-50), best first, once it has answered. Returns the function that
 * cancels the search.
 */
export function searchProfiles(client: GambitClient, text: string, onFound: (pubkeys: string[]) => void): () => void {
  const found = new Set<string>();
  const subscription = client.subscribe([{ kinds: [0], search: text, limit: MAX_FOUND }], {
    onevent: ({ pubkey }) => {
      if (found.size < MAX_FOUND) found.add(pubkey);
    },
    oneose: () => {
      subscription.close();
      onFound([...found]);
    },
    onclose: () => onFound([...found]),
  });
  return () => subscription.close();
}

/** Recent opponents and the best players, at most 500; without those that the relay fails to give. */
export async function acquaintances(client: GambitClient): Promise<string[]> {
  const [records, boards] = await Promise.allSettled([
    client.records({ player: client.pubkey, limit: RECENT_GAMES }),
    client.info.chess.rated ? leaderboards(client) : new Map<string, []>(),
  ]);
  const opponents = records.status === 'fulfilled' ? records.value.flatMap(({ white, black }) => [white, black]) : [];
  const leaders = boards.status === 'fulfilled' ? [...boards.value.values()].flat().map(({ pubkey }) => pubkey) : [];
  return [...new Set([...opponents, ...leaders])].slice(0, MAX_KNOWN);
}

/** Those of some players in whose names a text occurs: first where it is the beginning, then where it is that of a word. */
export function withName(pubkeys: Iterable<string>, text: string, profiles: Pick<Profiles, 'get'>): string[] {
  const wanted = plain(text);
  if (wanted === '') return [];
  const placed = [...new Set(pubkeys)].map((pubkey) => {
    const name = ` ${plain(oneLine(profiles.get(pubkey)?.name) ?? guestName(pubkey))}`;
    return { pubkey, place: name.startsWith(` ${wanted}`) ? 0 : name.includes(` ${wanted}`) ? 1 : name.includes(wanted) ? 2 : 3 };
  });
  return placed.filter(({ place }) => place < 3).sort((a, b) => a.place - b.place).map(({ pubkey }) => pubkey);
}

/** Without accents and case. */
function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/gu, ' ').trim();
}
