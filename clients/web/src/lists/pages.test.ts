import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { GambitClient, GameRecord } from 'gambit-client';
import { PAGE_SIZE, recordPage, type PageStart } from './pages.js';

/** A client of a relay with records of these seconds, the newest first. */
function relayWith(seconds: readonly number[]): Pick<GambitClient, 'records'> {
  const records = seconds.map((second, i) => ({ id: `${i}`, at: second * 1000 }) as GameRecord);
  return {
    records: async ({ limit = 50, until = Infinity } = {}) =>
      records.filter(({ at }) => at / 1000 <= until).slice(0, Math.min(limit, 500)),
  };
}

async function allPages(client: Pick<GambitClient, 'records'>): Promise<string[][]> {
  const pages: string[][] = [];
  let start: PageStart | undefined;
  do {
    const page = await recordPage(client, undefined, start);
    pages.push(page.records.map(({ id }) => id));
    start = page.next;
  } while (start);
  return pages;
}

test('each game is on one page, also if more than a page ended within one second', async () => {
  const seconds = [90, ...Array.from({ length: 30 }, () => 80), 70, 70, 60];
  const pages = await allPages(relayWith(seconds));
  assert.deepEqual(pages.flat(), seconds.map((_, i) => `${i}`));
  assert.deepEqual(pages.map(({ length }) => length), [12, 12, 10]);
});

test('a list that fills its pages has no empty one', async () => {
  assert.equal((await allPages(relayWith(Array.from({ length: 2 * PAGE_SIZE }, (_, i) => 99 - i)))).length, 2);
  assert.deepEqual(await allPages(relayWith([])), [[]]);
});

test('after as many games of one second as a query can bring, older ones follow', async () => {
  const ids = (await allPages(relayWith([...Array.from({ length: 700 }, () => 80), 70]))).flat();
  assert.equal(ids.at(-1), '700');
  assert.equal(new Set(ids).size, ids.length);
});
