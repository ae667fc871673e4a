import type { NostrEvent } from 'nostr-tools/pure';
import { deferred, type Deferred } from './deferred.js';
import { DisconnectedError, GambitError, InviteEndedError, RefusedError } from './errors.js';
import { isHex64, Kind, naturalNumber, nonce, rootGame, tagValue } from './events.js';
import type { GameContext } from './game-context.js';
import type { Game } from './game.js';
import { hashOfSecret, newLinkSecret } from './link-secrets.js';
import { parseColor, parseFen } from './states.js';
import { parseTimeControl } from './time-control.js';
import type { InviteOptions, ReceivedInvite } from './types.js';

/** A pending invite or rematch of this player. */
export interface SentInvite {
  readonly id: string;
  /** Of an unlisted invite: what its acceptance needs, and so its link has to carry. */
  readonly secret?: string;
  /** The game that it leads to. Fails with an `InviteEndedError` if it ends without one. */
  readonly game: Promise<Game>;
  withdraw(): Promise<void>;
}

const MAX_PENDING = 100;
/** Seconds until an invite without an expiration ends (NIP-100). */
export const OPEN_INVITE_LASTS = 60;
const DIRECT_INVITE_LASTS = 86_400;
/** Milliseconds after an invite's expiration before the relay is asked for it: clocks differ, messages take time. */
const EXPIRY_MARGIN = 3000;
const MAX_TIMEOUT = 2_147_483_647;

/** Reads an invite or a rematch; `undefined` if the event is neither. */
export function receivedInvite(event: NostrEvent): ReceivedInvite | undefined {
  if (event.kind !== Kind.request || (event.content !== 'invite' && event.content !== 'rematch')) {
    return undefined;
  }
  const kind = event.content;
  const opponent = tagValue(event, 'p');
  const game = kind === 'rematch' ? rootGame(event) : undefined;
  if ((opponent !== undefined && !isHex64(opponent)) || (kind === 'rematch' && !isHex64(game))) {
    return undefined;
  }
  const time = parseTimeControl(tagValue(event, 'time') ?? '');
  const color = tagValue(event, 'color');
  const fen = parseFen(tagValue(event, 'fen'));
  const level = naturalNumber(tagValue(event, 'level'));
  const expires = naturalNumber(tagValue(event, 'expiration'));
  const secretHash = opponent ? undefined : tagValue(event, 'unlisted');
  return {
    id: event.id,
    author: event.pubkey,
    kind,
    ...(opponent && { opponent }),
    ...(game && { rematchOf: game }),
    ...(kind === 'invite' && time && { time }),
    ...(kind === 'invite' && { color: parseColor(color) ?? 'random' }),
    ...(fen && { fen }),
    ...(kind === 'invite' && tagValue(event, 'rated') === 'true' && { rated: true }),
    ...(level !== undefined && { level }),
    ...(isHex64(secretHash) && { secretHash }),
    ...(expires !== undefined && { expiresAt: expires * 1000 }),
    ...(event.tags.some(([name]) => name === 'unlisted') && { unlisted: true }),
  };
}

interface Pending {
  readonly id: string;
  readonly opponent?: string | undefined;
  /** The time control, if it is known. */
  readonly time?: string | undefined;
  readonly game: Deferred<Game>;
  /** The player's games from before, to which it cannot have led. */
  readonly before: ReadonlySet<Game>;
  /** Whether the relay has answered it. */
  isSent?: boolean;
  /** Whether another connection sent it: the relay then notifies this one of no colour. */
  isFound?: boolean;
  /** Asks the relay after the expiration, which may have had no notification. */
  timer?: ReturnType<typeof setTimeout>;
  subscription?: { close(): void };
}

export interface InvitesOptions {
  readonly onRejected: (inviteId: string, by: string) => void;
  readonly onExpired: (inviteId: string) => void;
  /** The player's games: those that run, and the last ones that are over. */
  readonly games: () => readonly Game[];
}

/** What this player has asked for and what leads to a game: invites, rematches, acceptances. */
export class Invites {
  readonly #context: GameContext;
  readonly #pending = new Map<string, Pending>();
  readonly #acceptances = new Set<string>();
  /** The games to which something has led. */
  readonly #taken = new WeakSet<Game>();
  readonly #options: InvitesOptions;

  constructor(context: GameContext, options: InvitesOptions) {
    this.#context = context;
    this.#options = options;
  }

  async invite(options: InviteOptions): Promise<SentInvite> {
    const { opponent, time, color, fen, expiresIn, unlisted, level, rated } = options;
    const expires =
      expiresIn === undefined ? undefined : Math.floor(this.#context.relayTime() / 1000 + expiresIn);
    const secret = unlisted && !opponent ? newLinkSecret() : undefined;
    const tags = [
      ...(opponent ? [['p', opponent]] : []),
      ...(time ? [['time', time]] : []),
      ...(color ? [['color', color]] : []),
      ...(fen ? [['fen', fen]] : []),
      ...(expires === undefined ? [] : [['expiration', `${expires}`]]),
      ...(secret ? [['unlisted', hashOfSecret(secret)]] : []),
      ...(level === undefined ? [] : [['level', `${level}`]]),
      ...this.#context.ratedTag(rated),
      nonce(),
    ];
    const control = parseTimeControl(time ?? this.#context.defaultTime)?.text;
    const sent = await this.#send('invite', tags, { opponent, time: control }, expiresIn);
    return secret ? { ...sent, secret } : sent;
  }

  rematch(game: Game): Promise<SentInvite> {
    const opponent = game.opponent;
    if (!opponent) {
      return Promise.reject(new GambitError('this is not a game of this player'));
    }
    const tags = [['e', game.id], ['p', opponent], nonce()];
    return this.#send('rematch', tags, { opponent, time: game.time.text }, undefined);
  }

  async #send(
    content: string,
    tags: string[][],
    terms: Pick<Pending, 'opponent' | 'time'>,
    seconds: number | undefined,
  ): Promise<SentInvite> {
    if (this.#pending.size >= MAX_PENDING) {
      throw new GambitError('too many invites are pending');
    }
    let pending: Pending | undefined;
    let answer: string;
    // The relay's notification of the colour may precede the answer: the invite is pending once it is signed.
    const signed = (id: string): void => {
      pending = this.#add(id, terms);
      this.#subscribe(pending); // before the invite is sent: its answer may come at once
    };
    try {
      answer = await this.#context.publish(Kind.request, content, tags, { onSigned: signed });
    } catch (error) {
      if (pending) {
        this.#remove(pending.id);
      }
      throw error;
    }
    const sent = pending as unknown as Pending;
    if (this.#pending.has(sent.id)) {
      this.#watch(sent, (seconds ?? lasts(terms.opponent)) * 1000);
      if (answer.startsWith('duplicate:')) {
        // The first answer was lost, and the invite may be over since.
        void this.#endMissing([sent.id]).catch(() => undefined);
      }
    }
    return this.#handle(sent);
  }

  #add(id: string, terms: Partial<Pending>): Pending {
    const pending = { ...terms, id, game: deferred<Game>(), before: new Set(this.#options.games()) };
    this.#pending.set(id, pending);
    return pending;
  }

  #handle({ id, game }: Pending): SentInvite {
    return { id, game: game.promise, withdraw: () => this.#withdraw(id) };
  }

  async #withdraw(id: string): Promise<void> {
    try {
      await this.#context.publish(Kind.request, 'reject', [['e', id], nonce()]);
    } catch (error) {
      if (error instanceof RefusedError && error.prefix === 'invalid') {
        this.end(id, 'withdrawn'); // the relay has no such invite any more
      }
      throw error;
    }
    this.end(id, 'withdrawn');
  }

  #subscribe(pending: Pending): void {
    const { pubkey } = this.#context;
    const authors = pending.opponent ? [pending.opponent, pubkey] : [pubkey];
    pending.subscription = this.#context.subscribe([{ kinds: [Kind.request], authors, '#e': [pending.id] }], {
      onevent: event => this.#answered(pending, event),
    });
  }

  /** Follows an invite that the relay has taken until it is over. */
  #watch(pending: Pending, milliseconds: number): void {
    pending.isSent = true;
    this.#askAfter(pending, milliseconds);
  }

  #askAfter(pending: Pending, milliseconds: number): void {
    clearTimeout(pending.timer);
    const wait = Math.min(Math.max(milliseconds, 0) + EXPIRY_MARGIN, MAX_TIMEOUT);
    pending.timer = setTimeout(() => {
      this.#askAfter(pending, 0); // again, where clocks differ or the connection is lost meanwhile
      void this.#endMissing([pending.id]).catch(() => undefined);
    }, wait);
  }

  /** All pending invites that the relay has of this player, also those that another connection sent. */
  async sent(): Promise<(ReceivedInvite & SentInvite)[]> {
    const authors = [this.#context.pubkey];
    const events = await this.#context.query({ kinds: [Kind.request], authors, limit: MAX_PENDING });
    return events.flatMap(event => {
      const invite = receivedInvite(event);
      const pending = invite && (this.#pending.get(invite.id) ?? this.#found(invite, event.created_at));
      return invite && pending ? [{ ...invite, ...this.#handle(pending) }] : [];
    });
  }

  #found({ id, opponent, time, expiresAt }: ReceivedInvite, createdAt: number): Pending | undefined {
    if (this.#pending.size >= MAX_PENDING) {
      return undefined;
    }
    const pending = this.#add(id, { opponent, time: time?.text, isFound: true });
    this.#subscribe(pending);
    this.#watch(pending, (expiresAt ?? (createdAt + lasts(opponent)) * 1000) - this.#context.relayTime());
    return pending;
  }

  #answered(pending: Pending, event: NostrEvent): void {
    const { id, opponent } = pending;
    if (event.content !== 'reject' || tagValue(event, 'e') !== id || !this.#pending.has(id)) {
      return;
    }
    if (event.pubkey === opponent) {
      this.end(id, 'rejected');
      this.#options.onRejected(id, event.pubkey);
    } else if (event.pubkey === this.#context.pubkey) {
      this.end(id, 'withdrawn'); // perhaps in another window
    }
  }

  /** Resolves with the game once the relay names this acceptance, or the game is found after a lost connection. */
  async accept(inviteId: string, secret: string | undefined): Promise<Game> {
    const tags = [['e', inviteId], ...(secret ? [['secret', secret]] : []), nonce()];
    let pending: Pending | undefined;
    const signed = (id: string): void => {
      pending = this.#add(id, {});
      this.#acceptances.add(id);
    };
    try {
      const answer = await this.#context.publish(Kind.request, 'accept', tags, { onSigned: signed });
      const sent = pending as unknown as Pending;
      sent.isSent = true;
      if (answer.startsWith('duplicate:')) {
        this.#settle(sent); // the first answer was lost, and perhaps the game
      }
      return await sent.game.promise;
    } finally {
      if (pending) {
        this.#pending.delete(pending.id);
        this.#acceptances.delete(pending.id);
      }
    }
  }

  /** Ends an invite without a game. */
  end(id: string, reason: 'expired' | 'rejected' | 'withdrawn'): void {
    this.#remove(id)?.game.reject(new InviteEndedError(reason));
  }

  /** An invite has expired, as the relay says, or because it has the invite no more. */
  expired(id: string): void {
    if (this.#pending.has(id)) {
      this.end(id, 'expired');
      this.#options.onExpired(id);
    }
  }

  /** The relay's further OK for an invite or an acceptance: its game has just begun, or could not be stored. */
  colored(id: string, accepted: boolean, text: string, game: Game | undefined): void {
    const pending = this.#pending.get(id);
    if (accepted && game && pending && this.#mayLeadTo(pending, game)) {
      this.#resolve(pending, game); // otherwise the game's own event was lost, and it is found later
    } else if (!accepted) {
      this.#remove(id)?.game.reject(new RefusedError(text));
    }
  }

  /** A game of this player has begun. The relay names what this connection has sent, other invites may have led to it. */
  begun(game: Game): void {
    const found = [...this.#pending.values()].filter(it => it.isFound && this.#mayLeadTo(it, game));
    void this.#endMissing(found.map(({ id }) => id)).catch(() => undefined);
  }

  /** After a connection the relay repeats no notification, but an invite that is over is no longer stored. */
  async resumed(): Promise<void> {
    for (const id of [...this.#acceptances]) {
      this.#settle(this.#pending.get(id));
    }
    const invites = [...this.#pending.values()].filter(({ id }) => !this.#acceptances.has(id));
    const pending = invites.filter(it => it.isSent); // others have an answer to come
    await this.#endMissing(pending.map(({ id }) => id));
  }

  /** Ends an acceptance whose answers may have been lost. Without a game, that one began and ended unseen. */
  #settle(acceptance: Pending | undefined): void {
    const game = acceptance && this.#gameOf(acceptance);
    if (game) {
      this.#resolve(acceptance, game);
    } else if (acceptance?.isSent) {
      this.#remove(acceptance.id)?.game.reject(new GambitError('the game is over'));
    }
  }

  /** The game to which an invite or acceptance may have led, as far as the relay has not named it. */
  #gameOf(pending: Pending): Game | undefined {
    return this.#options.games().find(game => this.#mayLeadTo(pending, game));
  }

  #mayLeadTo({ opponent, time, before }: Pending, game: Game): boolean {
    const fits = time === undefined || game.foundAt === 0 || time === game.time.text;
    return fits && !this.#taken.has(game) && !before.has(game) && (!opponent || opponent === game.opponent);
  }

  #resolve({ id }: Pending, game: Game): void {
    this.#taken.add(game);
    this.#remove(id)?.game.resolve(game);
  }

  /** Ends the invites that the relay does not have any more: they have led to the game, or expired. */
  async #endMissing(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) {
      return;
    }
    const stored = new Set((await this.#context.query({ ids: [...ids] })).map(({ id }) => id));
    for (const id of ids.filter(it => !stored.has(it))) {
      const pending = this.#pending.get(id);
      const game = pending && this.#gameOf(pending);
      if (game) {
        this.#resolve(pending, game);
      } else {
        this.expired(id);
      }
    }
  }

  close(): void {
    for (const id of [...this.#pending.keys()]) {
      this.#remove(id)?.game.reject(new DisconnectedError('the client was closed'));
    }
  }

  #remove(id: string): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(pending?.timer);
    pending?.subscription?.close();
    return pending;
  }
}

/** Seconds until an invite ends that says nothing about it. */
function lasts(opponent: string | undefined): number {
  return opponent ? DIRECT_INVITE_LASTS : OPEN_INVITE_LASTS;
}
