/** The pages of a list of finished games, newest first. */
import type { GambitClient, GameRecord } from 'gambit-client';

/** The games of a page. */
export const PAGE_SIZE = 12;
/** The most records of one query. Of games that ended within one second, no more can be reached. */
const MAX_RECORDS = 500;

/** Where a page begins: at the games of a second of which so many have been on the pages before, and older ones. */
export interface PageStart {
  readonly until: number;
  readonly skipped: number;
}

/** A page of a list, and where the next one begins if there are older games. */
export interface RecordPage {
  readonly records: readonly GameRecord[];
  readonly next?: PageStart;
}

/** Asks for a page; without a start, for the newest games. */
export async function recordPage(
  client: Pick<GambitClient, 'records'>,
  player: string | undefined,
  start: PageStart | undefined,
): Promise<RecordPage> {
  const skipped = start?.skipped ?? 0;
  const found = await client.records({
    limit: skipped + PAGE_SIZE + 1,
    ...(start && { until: start.until }),
    ...(player !== undefined && { player }),
  });
  const records = found.slice(skipped, skipped + PAGE_SIZE);
  const last = records.at(-1);
  if (!last || found.length <= skipped + PAGE_SIZE) return { records };
  const until = Math.floor(last.at / 1000);
  const shown = found.slice(0, skipped + PAGE_SIZE).filter(({ at }) => Math.floor(at / 1000) === until).length;
  const fits = shown + PAGE_SIZE < MAX_RECORDS;
  return { records, next: fits ? { until, skipped: shown } : { until: until - 1, skipped: 0 } };
}

/** Where the reader of the list is, as the browser's history keeps it: the page, and the game that was opened from it. */
export interface Place {
  readonly start?: PageStart;
  readonly opened?: string;
}

/** The place that the current entry of the browser's history has. */
export function placeNow(): Place {
  const { start, opened } = ((history.state as { records?: Partial<Place> } | null)?.records ?? {}) as Place;
  const isStart = Number.isSafeInteger(start?.until) && Number.isSafeInteger(start?.skipped) && start!.skipped >= 0 && start!.skipped < MAX_RECORDS;
  return { ...(isStart && { start: start! }), ...(typeof opened === 'string' && { opened }) };
}

/** Keeps a place in the current entry of the history, or in a new one. */
export function keepPlace(records: Place, isNew = false): void {
  const state = { ...(history.state as object | null), records };
  if (isNew) history.pushState(state, '');
  else history.replaceState(state, '');
}
