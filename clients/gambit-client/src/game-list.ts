import type { VerifiedEvent } from 'nostr-tools/pure';
import { GambitError } from './errors.js';
import { isHex64, Kind, players, rootGame, tagValue } from './events.js';
import type { GameContext } from './game-context.js';
import { GameFeed } from './game-feed.js';
import { Game } from './game.js';
import { parseDialect } from './states.js';

const MAX_GAMES = 200;
/** Finished games of the player that stay open, for rematches and comments. */
const FINISHED_GAMES = 3;
/** The running games by kind 30 that are opened by themselves, those with the newest moves: each needs subscriptions. */
const KIND30_GAMES = 40;

interface Entry {
  readonly game: Game;
  readonly feed: GameFeed;
  /** Whether the game was opened by `follow`, and is kept until it is closed. */
  isFollowed: boolean;
}

/** The open games: those that the player plays, and those that are followed. */
export class GameList {
  readonly #context: GameContext;
  readonly #onBegun: (game: Game, isNew: boolean) => void;
  readonly #entries = new Map<string, Entry>();
  /** The player's games, in the order in which they became known. */
  readonly #own: Game[] = [];

  /** @param onBegun called once for each game of the player, with whether it has just begun */
  constructor(context: GameContext, onBegun: (game: Game, isNew: boolean) => void) {
    this.#context = context;
    this.#onBegun = onBegun;
  }

  /** The player's games: those that run, and the last ones that are over. */
  get all(): readonly Game[] {
    return this.#own;
  }

  get running(): Game[] {
    return this.#own.filter(game => !game.result);
  }

  /** The running game that began last of those beside which no live game can begin. */
  get current(): Game | undefined {
    return this.#own.findLast(game => !game.result && !this.runsBeside(game));
  }

  /** Whether a live game can begin beside this one. */
  runsBeside(game: Game): boolean {
    return game.dialect === 'jester' || (game.isSlow && this.#context.slowGames > 0);
  }

  /** The player's games that invites may have led to, in the order in which they became known. */
  get ofInvites(): Game[] {
    return this.#own.filter(game => game.dialect !== 'jester');
  }

  follow(id: string): Game {
    let entry = this.#entries.get(id);
    if (!entry) {
      entry = this.#open(id);
      entry.feed.start();
    }
    entry.isFollowed = true;
    return entry.game;
  }

  /** Handles an event of the relay for the player. */
  take(event: VerifiedEvent, stored: boolean): void {
    const begins = event.kind === Kind.request && event.content === 'gameisfound';
    const id = gameOf(event);
    if (!isHex64(id)) {
      return;
    }
    const isNew = begins && id === event.id;
    const isRunning = begins || (event.kind === Kind.state && !tagValue(event, 'result'));
    if (this.#isOneTooMany(id, event)) {
      return;
    }
    if (isRunning && !parseDialect(event).elsewhere && players(event)?.includes(this.#context.pubkey)) {
      this.#begin(id, event, stored, isNew);
    } else {
      this.#entries.get(id)?.feed.take(event, stored);
    }
  }

  #isOneTooMany(id: string, event: VerifiedEvent): boolean {
    const isNew = !this.#entries.has(id) && parseDialect(event).dialect === 'jester';
    return isNew && this.running.filter(game => game.dialect === 'jester').length >= KIND30_GAMES;
  }

  #begin(id: string, event: VerifiedEvent, stored: boolean, isNew: boolean): void {
    const isOpen = this.#entries.has(id);
    const entry = this.#entries.get(id) ?? this.#open(id);
    entry.feed.take(event, stored);
    if (!isOpen) {
      entry.feed.start(); // knowing the players
    }
    const { game } = entry;
    if (this.#own.includes(game)) {
      return;
    }
    this.#own.push(game);
    this.#forgetFinished();
    if (isNew || isOpen) {
      game.becomeReady();
      this.#onBegun(game, isNew);
    } else {
      game.ready.then(
        () => this.#onBegun(game, false),
        () => undefined,
      );
    }
  }

  #open(id: string): Entry {
    if (this.#entries.size >= MAX_GAMES) {
      throw new GambitError('too many games are open');
    }
    const game = new Game(id, this.#context);
    const entry: Entry = { game, feed: new GameFeed(game, this.#context), isFollowed: false };
    this.#entries.set(id, entry);
    return entry;
  }

  #forgetFinished(): void {
    const finished = this.#own.filter(game => game.result);
    for (const game of finished.slice(0, -FINISHED_GAMES)) {
      this.#own.splice(this.#own.indexOf(game), 1);
      if (!this.#entries.get(game.id)?.isFollowed) {
        this.#remove(game);
      }
    }
  }

  /** The player has declined a request for a rematch. */
  declined(requestId: string): void {
    for (const { game } of this.#entries.values()) {
      if (game.rematchRequest?.id === requestId) {
        game.applyRematch(undefined);
      }
    }
  }

  /** Closes a game, unless the player is playing it. */
  close(game: Game): void {
    const entry = this.#entries.get(game.id);
    if (!entry) {
      return;
    }
    entry.isFollowed = false;
    if (!this.#own.includes(game) || game.result) {
      this.#remove(game);
    }
  }

  #remove(game: Game): void {
    const entry = this.#entries.get(game.id);
    this.#entries.delete(game.id);
    entry?.feed.close();
    const index = this.#own.indexOf(game);
    if (index >= 0) {
      this.#own.splice(index, 1);
    }
  }
}

/** The game that an event of the relay is about. */
function gameOf(event: VerifiedEvent): string | undefined {
  if (event.kind === Kind.state || event.kind === Kind.presence) {
    return tagValue(event, 'd');
  }
  return rootGame(event) ?? (event.content === 'gameisfound' ? event.id : undefined);
}
