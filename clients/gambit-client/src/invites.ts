import type { NostrEvent } from 'nostr-tools/pure';
import { deferred, type Deferred } from './deferred.js';
import { DisconnectedError, GambitError, InviteEndedError, RefusedError } from './errors.js';
import { isHex64, Kind, naturalNumber, nonce, rootGame, tagValue } from './events.js';
import type { GameContext } from './game-context.js';
import type { Game } from './game.js';
import { parseColor, parseFen } from './states.js';
import { parseTimeControl } from './time-control.js';
import type { InviteOptions, ReceivedInvite } from './types.js';

/** A pending invite or rematch of this player. */
export interface SentInvite {
  readonly id: string;
  /** The game that it leads to. Fails with an `InviteEndedError` if it ends without one. */
  readonly game: Promise<Game>;
  withdraw(): Promise<void>;
}

const MAX_PENDING = 100;
/** Seconds until a direct invite without an expiration ends. */
const DIRECT_INVITE_LASTS = 86_400;
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
  return {
    id: event.id,
    author: event.pubkey,
    kind,
    ...(opponent && { opponent }),
    ...(game && { rematchOf: game }),
    ...(kind === 'invite' && time && { time }),
    ...(kind === 'invite' && { color: parseColor(color) ?? 'random' }),
    ...(fen && { fen }),
    ...(level !== undefined && { level }),
    ...(expires !== undefined && { expiresAt: expires * 1000 }),
  };
}

interface Pending {
  readonly id: string;
  readonly opponent?: string;
  readonly game: Deferred<Game>;
  /** Of a direct invite: ends it, because its expiration has no notification. */
  timer?: ReturnType<typeof setTimeout>;
  subscription?: { close(): void };
}

/** What this player has asked for and what leads to a game: invites, rematches, acceptances. */
export class Invites {
  readonly #context: GameContext;
  readonly #pending = new Map<string, Pending>();
  /** The pending acceptances: a player has one game, so the next one is theirs. */
  readonly #acceptances = new Set<string>();
  readonly #onRejected: (inviteId: string, by: string) => void;

  constructor(context: GameContext, onRejected: (inviteId: string, by: string) => void) {
    this.#context = context;
    this.#onRejected = onRejected;
  }

  invite(options: InviteOptions): Promise<SentInvite> {
    const { opponent, time, color, fen, expiresIn, unlisted, level } = options;
    const expires =
      expiresIn === undefined ? undefined : Math.floor(this.#context.now() / 1000 + expiresIn);
    const tags = [
      ...(opponent ? [['p', opponent]] : []),
      ...(time ? [['time', time]] : []),
      ...(color ? [['color', color]] : []),
      ...(fen ? [['fen', fen]] : []),
      ...(expires === undefined ? [] : [['expiration', `${expires}`]]),
      ...(unlisted ? [['unlisted']] : []),
      ...(level === undefined ? [] : [['level', `${level}`]]),
      nonce(),
    ];
    return this.#send('invite', tags, opponent, opponent && (expiresIn ?? DIRECT_INVITE_LASTS));
  }

  rematch(game: Game): Promise<SentInvite> {
    const opponent = game.opponent;
    if (!opponent) {
      return Promise.reject(new GambitError('this is not a game of this player'));
    }
    const tags = [['e', game.id], ['p', opponent], nonce()];
    return this.#send('rematch', tags, opponent, undefined);
  }

  async #send(
    content: string,
    tags: string[][],
    opponent: string | undefined,
    seconds: number | '' | undefined,
  ): Promise<SentInvite> {
    if (this.#pending.size >= MAX_PENDING) {
      throw new GambitError('too many invites are pending');
    }
    let pending: Pending | undefined;
    // The relay's notification of the colour may precede the answer: the invite is pending once it is signed.
    const signed = (id: string): void => {
      pending = { id, ...(opponent && { opponent }), game: deferred<Game>() };
      this.#pending.set(id, pending);
    };
    try {
      await this.#context.publish(Kind.request, content, tags, { onSigned: signed });
    } catch (error) {
      if (pending) {
        this.#pending.delete(pending.id);
      }
      throw error;
    }
    const sent = pending as unknown as Pending;
    if (this.#pending.has(sent.id)) {
      sent.subscription = this.#context.subscribe([{ kinds: [Kind.request], '#e': [sent.id] }], {
        onevent: event => this.#answered(sent, event),
      });
      if (seconds) {
        sent.timer = setTimeout(() => this.end(sent.id, 'expired'), Math.min(seconds * 1000, MAX_TIMEOUT));
      }
    }
    return {
      id: sent.id,
      game: sent.game.promise,
      withdraw: async () => {
        await this.#context.publish(Kind.request, 'reject', [['e', sent.id], nonce()]);
        this.end(sent.id, 'withdrawn');
      },
    };
  }

  #answered(pending: Pending, event: NostrEvent): void {
    if (
      event.content === 'reject' &&
      event.pubkey === pending.opponent &&
      tagValue(event, 'e') === pending.id &&
      this.#pending.has(pending.id)
    ) {
      this.end(pending.id, 'rejected');
      this.#onRejected(pending.id, event.pubkey);
    }
  }

  /** Resolves with the game once the relay names this acceptance, or the player's next game begins. */
  async accept(inviteId: string): Promise<Game> {
    let pending: Pending | undefined;
    const signed = (id: string): void => {
      pending = { id, game: deferred<Game>() };
      this.#pending.set(id, pending);
      this.#acceptances.add(id);
    };
    try {
      await this.#context.publish(Kind.request, 'accept', [['e', inviteId], nonce()], {
        onSigned: signed,
      });
      return await (pending as unknown as Pending).game.promise;
    } finally {
      if (pending) {
        this.#pending.delete(pending.id);
        this.#acceptances.delete(pending.id);
      }
    }
  }

  /** Ends an invite without a game. */
  end(id: string, reason: 'expired' | 'rejected' | 'withdrawn'): boolean {
    const pending = this.#remove(id);
    pending?.game.reject(new InviteEndedError(reason));
    return pending !== undefined;
  }

  /** The relay's further OK for an invite or an acceptance: its game has just begun, or could not be stored. */
  colored(id: string, accepted: boolean, text: string, game: Game | undefined): void {
    if (accepted && game) {
      this.#remove(id)?.game.resolve(game);
    } else if (!accepted) {
      this.#remove(id)?.game.reject(new RefusedError(text));
    }
  }

  /** A game of this player has begun. */
  begun(game: Game): void {
    for (const id of [...this.#acceptances]) {
      this.#remove(id)?.game.resolve(game);
    }
  }

  /**
   * A game of this player was found after a reconnection: the relay does not name the invite again, but an
   * invite that led to a game is no longer stored.
   */
  async resumed(game: Game): Promise<void> {
    this.begun(game);
    const ids = [...this.#pending.values()]
      .filter(({ opponent }) => !opponent || opponent === game.opponent)
      .map(({ id }) => id);
    if (ids.length > 0) {
      const stored = new Set((await this.#context.query({ ids })).map(({ id }) => id));
      for (const id of ids.filter(it => !stored.has(it))) {
        this.#remove(id)?.game.resolve(game);
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
