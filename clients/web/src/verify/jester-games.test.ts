/** Games of kind 30 that hold or do not: the same for the relay's `gambit verify` (JesterGamesTest.java). */
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Filter } from 'gambit-client';
import { npubEncode } from 'nostr-tools/nip19';
import { Line } from '../board/line.js';
import { uciOf } from '../board/position.js';
import type { NostrEvent } from './events.js';
import { fetchGame } from './fetch-game.js';
import specs from './jester-games.json';
import { moveOfSan } from './pgn-reader.js';
import { BLACK, RELAY, RELAY_URL, START, STRANGER, WHITE } from './signed-game.testkit.js';
import { verifyGame } from './verification.js';

interface Step {
  name?: string;
  san?: string;
  end?: string | null;
  result?: string;
  by?: keyof typeof KEYS;
  head?: string;
  e?: string[];
  isFork?: boolean;
  content?: object;
  without?: string[];
}

interface Spec {
  name: string;
  start?: { by?: keyof typeof KEYS; content?: object; p?: keyof typeof KEYS; hash?: keyof typeof KEYS };
  steps: (string | Step)[];
  plies?: string[];
  ends: string;
  pgn?: string;
  dropped?: string;
  holds?: string;
  wrong?: string;
  missing?: string;
}

const KEYS = { white: WHITE, black: BLACK, stranger: STRANGER };
const OPEN = 'b1791d7fc9ae3d38966568c257ffb3a02cbf8394cdb4805bc70f64fc3c0b6879';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The stored events of a game, the start first: every event is signed before the one that it follows. */
function eventsOf({ start, steps, plies, ends, pgn, dropped }: Spec): NostrEvent[] {
  const line = Line.initial();
  const sans: string[] = [];
  const events = new Map<string, NostrEvent>();
  const sign = (name: string, by: keyof typeof KEYS, tags: string[][], content: object): void => {
    events.set(name, KEYS[by].sign(START - events.size * 1000, 30, tags, JSON.stringify(content)));
  };
  const form = start?.hash ? hash(hash(KEYS[start.hash].pubkey) + OPEN) : OPEN;
  const challenged = start?.p ? [['p', KEYS[start.p].pubkey]] : [];
  sign('start', start?.by ?? 'white', [['e', form], ...challenged], { version: '0', kind: 0, history: [], ...start?.content });
  const idOf = (name: string): string => events.get(name)?.id ?? 'f'.repeat(64);
  const moves: string[] = [];
  for (const step of steps) {
    const given: Step = typeof step === 'string' ? { san: step } : step;
    const by = given.by ?? line.turn;
    const before = sans.length;
    const found = given.san === undefined ? undefined : moveOfSan(given.san, line.position);
    const san = found && given.san;
    if (found) line.play(uciOf(found.move));
    const history = san === undefined ? [...sans] : [...sans, san];
    const { end, result } = given;
    const content: Record<string, unknown> = {
      version: '0',
      kind: 1,
      fen: line.fen,
      ...(san !== undefined && { move: san }),
      history,
      ...(result !== undefined && { result, ...(end && { termination: end }) }),
      ...given.content,
    };
    given.without?.forEach((field) => delete content[field]);
    const head = given.head ?? moves.at(-1) ?? 'start';
    const name = given.name ?? (given.san === undefined ? 'end' : `${before + 1}`);
    sign(name, by, (given.e ?? ['start', head]).map((named) => ['e', idOf(named)]), content);
    if (given.isFork) {
      line.truncate(before);
    } else if (san !== undefined) {
      sans.push(san);
      moves.push(name);
    }
  }
  const [result = '', termination = '', ...ending] = ends.split(' ');
  const headers = [`[White "${npubEncode(WHITE.pubkey)}"]`, `[Black "${npubEncode(BLACK.pubkey)}"]`, `[Result "${result}"]`];
  const tags = [
    ['e', idOf('start'), '', 'root'],
    ['p', WHITE.pubkey, '', 'white'],
    ['p', BLACK.pubkey, '', 'black'],
    ['result', result],
    ['termination', termination],
    ['plies', ...(plies ?? moves).map(idOf)],
    ...ending.map((name) => ['ending', idOf(name)]),
    ['dialect', 'jester'],
  ];
  const record = RELAY.sign(START + 900, 64, tags, `${headers.join('')}[TimeControl "-"]\n\n${pgn ?? sans.join(' ')} ${result}\n`);
  const kept = [...events].filter(([name]) => name !== dropped).map(([, event]) => event);
  return [...kept, record, STRANGER.sign(START + 900, 64, tags, record.content)];
}

for (const spec of specs as Spec[]) {
  test(`kind 30: ${spec.name}`, async () => {
    const stored = eventsOf(spec);
    const matches = (filter: Filter) =>
      stored.filter(
        (event) =>
          (filter.ids?.includes(event.id) ?? true) &&
          (filter.kinds?.includes(event.kind) ?? true) &&
          (filter.authors?.includes(event.pubkey) ?? true) &&
          (filter['#e']?.some((id) => event.tags.some((tag) => tag[0] === 'e' && tag[1] === id)) ?? true),
      );
    const fetched = await fetchGame(stored[0]!.id, async (filter) => matches(filter), RELAY.pubkey);
    const report = verifyGame(fetched, { relayUrl: RELAY_URL, maxClockSkew: 60 });
    const { proved, attested, faults, missing } = report;
    assert.equal(report.holds, spec.holds !== undefined, faults.join('\n'));
    assert.equal(faults.length > 0, spec.wrong !== undefined, faults.join('\n'));
    const lines = spec.holds ? [...proved, ...attested] : spec.wrong ? faults : missing;
    const expected = spec.holds ?? spec.wrong ?? spec.missing ?? '';
    assert.ok(lines.some((line) => line.includes(expected)), `${expected}\n  is not in\n${lines.join('\n')}`);
    assert.ok(attested.every((line) => !line.includes('relay forwarded') && !line.includes('time control')));
  });
}
