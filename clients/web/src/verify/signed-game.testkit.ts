/** A finished game whose events tests sign, and alter before they are checked. */
import { parseTimeControl } from 'gambit-client';
import { npubEncode } from 'nostr-tools/nip19';
import { finalizeEvent, getEventHash, getPublicKey } from 'nostr-tools/pure';
import { Line } from '../board/line.js';
import { INITIAL_FEN } from '../board/position.js';
import { exportPgn } from '../game/pgn-export.js';
import type { NostrEvent } from './events.js';
import type { FetchedGame } from './verification.js';

type Tag = string[];

/** The signatures by the ids of their events, many of which are the same in several tests. */
const signatures = new Map<string, string>();

/** A key of a test, the same in every run. */
export class TestKey {
  readonly #secret: Uint8Array;
  readonly pubkey: string;

  constructor(number: number) {
    this.#secret = new Uint8Array(32).fill(number);
    this.pubkey = getPublicKey(this.#secret);
  }

  sign(at: number, kind: number, tags: Tag[], content: string): NostrEvent {
    const event = { pubkey: this.pubkey, created_at: at, kind, tags, content };
    const id = getEventHash(event);
    const sig = signatures.get(id) ?? finalizeEvent(event, this.#secret).sig;
    signatures.set(id, sig);
    return { id, ...event, sig };
  }
}

export const WHITE = new TestKey(1);
export const BLACK = new TestKey(2);
export const RELAY = new TestKey(3);
export const STRANGER = new TestKey(4);

/** When a game begins, in seconds. */
export const START = 1_800_000_000;

export const RELAY_URL = 'wss://gambit.example/';

/** Options of a {@link SignedGame} that differ from a game of 300+3 from the initial position. */
export interface GameOptions {
  fen?: string;
  time?: string;
  /** The tag by which the colours were drawn. */
  lot?: Tag;
}

export class SignedGame {
  /** When the players' events and the record are signed, in seconds. */
  signedAt = START + 60;
  endedAt = START + 900;
  readonly announcement: NostrEvent;
  readonly plies: NostrEvent[] = [];
  readonly ending: NostrEvent[] = [];
  readonly proofs: string[] = [];
  result: string;
  termination: string;
  pgn = '';
  readonly #line: Line;
  readonly #time: string;

  constructor(result: string, termination: string, moves = '', { fen, time = '300+3', lot }: GameOptions = {}) {
    this.result = result;
    this.termination = termination;
    this.#line = Line.from(fen ?? INITIAL_FEN)!;
    this.#time = time;
    const tags = [...players(), ['time', time], ...(fen ? [['fen', fen]] : []), ...(lot ? [lot] : [])];
    this.announcement = RELAY.sign(START, 5000, tags, 'gameisfound');
    moves.split(' ').filter(Boolean).forEach((uci) => this.play(uci));
    this.writePgn();
  }

  /** The fool's mate: Black mates in two moves. */
  static foolsMate(options: GameOptions = {}): SignedGame {
    return new SignedGame('0-1', 'checkmate', 'f2f3 e7e5 g2g4 d8h4', options);
  }

  get id(): string {
    return this.announcement.id;
  }

  get turn(): TestKey {
    return this.#line.turn === 'white' ? WHITE : BLACK;
  }

  /** An event of a player that names its game. */
  said(player: TestKey, kind: number, content: string, ...more: Tag[]): NostrEvent {
    return player.sign(this.signedAt, kind, [['e', this.id, '', 'root'], ...more], content);
  }

  /** Adds the next move, by default with an event that names game and ply. */
  play(uci: string, event = this.said(this.turn, 5001, uci, ['ply', `${this.plies.length + 1}`])): void {
    this.plies.push(event);
    if (!this.#line.play(uci)) {
      throw new Error(`${uci} is illegal in a test`);
    }
  }

  /** Adds the next move of a player of the ephemeral dialect, translated by the relay. */
  relay(uci: string, proof: string): void {
    const tags = [['e', this.id, '', 'root'], ...players(), ['ply', `${this.plies.length + 1}`], ['proof', proof]];
    this.play(uci, RELAY.sign(this.signedAt, 5001, tags, uci));
  }

  /** The JSON of an event of a player of the ephemeral dialect. */
  ephemeral(player: TestKey, content: string): string {
    return JSON.stringify(player.sign(this.signedAt, 20303, [['p', RELAY.pubkey], ['d', this.id]], content));
  }

  /** Writes the PGN again from the current moves. */
  writePgn(): this {
    const text = exportPgn({
      white: npubEncode(WHITE.pubkey),
      black: npubEncode(BLACK.pubkey),
      site: RELAY_URL,
      startFen: this.#line.startFen,
      time: this.#time,
      result: this.result,
      plies: this.#line.plies,
      startedAt: START,
    });
    this.pgn = parseTimeControl(this.#time)?.kind === 'game' ? withClocks(text, this.#line) : text;
    return this;
  }

  /** The tags of the record. */
  recordTags(): Tag[] {
    return [
      ['e', this.id, '', 'root'],
      ...players(),
      ['result', this.result],
      ['termination', this.termination],
      ['plies', ...this.plies.map((event) => event.id)],
      ...(this.ending.length ? [['ending', ...this.ending.map((event) => event.id)]] : []),
      ...this.proofs.map((proof) => ['proof', proof]),
    ];
  }

  /** The current record, signed by the relay, including any forgery in it. */
  record(tags = this.recordTags()): NostrEvent {
    return RELAY.sign(this.endedAt, 64, tags, this.pgn);
  }

  /** The events that an honest relay serves. */
  fetched(): FetchedGame {
    const events = new Map([...this.plies, ...this.ending].map((event) => [event.id, event]));
    return { game: this.id, announcement: this.announcement, records: [this.record()], events };
  }
}

function players(): Tag[] {
  return [
    ['p', WHITE.pubkey, '', 'white'],
    ['p', BLACK.pubkey, '', 'black'],
  ];
}

/** The same PGN with a clock after each move, as the relay writes it: five minutes for every move. */
function withClocks(pgn: string, line: Line): string {
  const [head = '', moves = ''] = pgn.split('\n\n');
  const result = moves.trim().split(/\s/).at(-1);
  const text = line.plies.map(
    (ply) => `${ply.number}${ply.color === 'white' ? '.' : '...'} ${ply.san} {[%clk 0:05:00]}`,
  );
  return `${head}\n\n${[...text, result].join(' ')}\n`;
}
