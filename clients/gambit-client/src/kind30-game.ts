import type { NostrEvent } from 'nostr-tools/pure';
import type { Commands } from './commands.js';
import { GambitError, RefusedError } from './errors.js';
import { Kind } from './events.js';
import type { GameContext } from './game-context.js';
import type { Game } from './game.js';
import {
  assembleChain,
  fenAfter,
  isAt,
  MAX_WITHOUT_MOVE,
  movesBetween,
  moveTo,
  parseMessage,
  type Message,
  type Start,
} from './kind30.js';
import { INITIAL_FEN, parseSan } from './states.js';
import type { Color, Result } from './types.js';

/** Events in a query: each may be as long as an event may be. */
const PAGE = 200;
const MAX_PAGES = 25;

/** The moves of one game by kind 30, and the commands of its player. */
export class Kind30Game implements Commands {
  /** Set when the start is known. */
  start?: Start;
  readonly #game: Game;
  readonly #context: GameContext;
  /** The moves' events as far as they are known. */
  #chain: Message[] = [];
  /** The last of them, or the start, and the draw offers after it: what the next move may name as the one before. */
  readonly #heads = new Set<string>();

  constructor(game: Game, context: GameContext) {
    this.#game = game;
    this.#context = context;
    this.#heads.add(game.id);
  }

  get root(): { kind: number; author: string } {
    return { kind: Kind.jester, author: this.start?.author ?? '' };
  }

  /** The players of whom messages count. */
  get authors(): string[] {
    return [this.#game.white, this.#game.black].filter(key => key !== '');
  }

  /** Takes a message that the relay has just accepted: the next move, or one that does not matter here. */
  take(event: NostrEvent): void {
    const { id, white, black } = this.#game;
    const message = parseMessage(event, id);
    const ply = this.#chain.length;
    if (!message || !this.#heads.has(message.head)) {
      return;
    } else if (message.ply === ply && this.#heads.size <= MAX_WITHOUT_MOVE) {
      this.#heads.add(message.id);
    } else if (message.ply === ply + 1 && message.author === (ply % 2 === 0 ? white : black)) {
      this.#show([...this.#chain, message]);
    }
  }

  #show(chain: Message[]): void {
    this.#chain = chain;
    this.#heads.clear();
    this.#heads.add(chain.at(-1)?.id ?? this.#game.id);
    this.#applyFirst();
  }

  /** Shows the first move of a game that has no state yet. */
  #applyFirst(): void {
    const [first] = this.#chain;
    const uci = first && moveTo(first);
    if (this.#game.isOpen && first?.fen && uci) {
      this.#game.applyFirstMove(uci, parseSan(first.san), first.fen);
    }
  }

  /** Queries the moves that lead to the present position, or the first one of a game that has no state yet. */
  async query(): Promise<void> {
    const found = new Map<string, Message>();
    const { id } = this.#game;
    let until: number | undefined;
    for (let page = 0; page < (this.#game.isOpen ? 1 : MAX_PAGES); page++) {
      const filter = { kinds: [Kind.jester], authors: this.authors, '#e': [id], limit: PAGE };
      const events = await this.#context.query(until === undefined ? filter : { ...filter, until });
      events.forEach(event => {
        const message = parseMessage(event, id);
        return message && found.set(event.id, message);
      });
      const chain = this.#game.isOpen ? this.#firstOf(found) : assembleChain(found.values(), this.#game);
      if (chain) {
        this.#show(chain);
        return;
      }
      const oldest = events.at(-1)?.created_at;
      if (oldest === undefined) {
        return;
      }
      until = oldest === until ? oldest - 1 : oldest;
    }
  }

  #firstOf(found: Map<string, Message>): Message[] | undefined {
    const { id, white } = this.#game;
    const isFirst = ({ ply, author, head }: Message): boolean => ply === 1 && author === white && head === id;
    const first = [...found.values()].findLast(message => isFirst(message) && moveTo(message));
    return first && [first];
  }

  /** The moves in UCI up to the present position; `undefined` while they are not known. */
  get moves(): string[] | undefined {
    const chain = this.#known();
    return chain && movesBetween([INITIAL_FEN, ...chain.map(({ fen }) => fen)]);
  }

  #known(): Message[] | undefined {
    const { ply, fen } = this.#game;
    const last = this.#chain[ply - 1];
    return ply === 0 || (last && isAt(last, fen)) ? this.#chain.slice(0, ply) : undefined;
  }

  async move(uci: string, ply: number, offerDraw: boolean, onSigned: () => void): Promise<void> {
    const { rules } = this.#context;
    if (!rules) {
      throw new GambitError('a move of kind 30 needs the option rules of the client');
    }
    const chain = await this.#played();
    if (chain.length !== ply - 1) {
      throw new GambitError('another move has been played');
    }
    let played: { san: string; fen: string };
    try {
      played = rules.play(this.#game.fen, uci);
    } catch {
      throw new GambitError(`${uci} is not legal after ${chain.length} plies`);
    }
    await this.#send(chain, { fen: fenAfter(uci, played), move: played.san, ...(offerDraw && DRAW) }, onSigned);
  }

  async propose(word: string): Promise<void> {
    const { proposal, color } = this.#game;
    if (word === 'accept' && (proposal?.kind !== 'draw' || proposal.by === color)) {
      throw new GambitError('the opponent has not offered a draw');
    } else if (word !== 'offer' && word !== 'accept') {
      throw unknown(word);
    }
    await this.#end(DRAW);
  }

  async resign(): Promise<void> {
    await this.#end({ result: winOf(opposite(this.#color)), termination: 'resignation' });
  }

  abort(): Promise<void> {
    return Promise.reject(unknown('abort'));
  }

  /** Whether the player can still mate, the relay knows: without that, the game is a draw. */
  async claimAbandoned(): Promise<void> {
    const termination = 'abandonment';
    try {
      await this.#end({ result: winOf(this.#color), termination });
    } catch (error) {
      if (!(error instanceof RefusedError) || !error.reason.endsWith(`is ${DRAW.result}`)) {
        throw error;
      }
      await this.#end({ result: DRAW.result, termination });
    }
  }

  get #color(): Color {
    if (!this.#game.color) {
      throw new GambitError('this is not a game of this player');
    }
    return this.#game.color;
  }

  async #end(end: End): Promise<void> {
    await this.#send(await this.#played(), { fen: this.#game.fen, ...end });
  }

  /** The moves up to the present position; queried, unless they are known. */
  async #played(): Promise<Message[]> {
    if (!this.#known()) {
      await this.query();
    }
    const chain = this.#known();
    if (!chain) {
      throw new GambitError('the events of the moves are not known');
    }
    return chain;
  }

  async #send(
    chain: readonly Message[],
    message: Partial<End> & { fen: string; move?: string },
    onSigned?: () => void,
  ): Promise<void> {
    const { id, opponent } = this.#game;
    const history = [...chain.map(({ san }) => san), ...(message.move ? [message.move] : [])];
    const tags = [['e', id], ['e', chain.at(-1)?.id ?? id], ...(opponent ? [['p', opponent]] : [])];
    const content = JSON.stringify({ version: '0', kind: 1, ...message, history });
    await this.#context.publish(Kind.jester, content, tags, onSigned && { onSigned });
  }
}

interface End {
  readonly result: Result;
  readonly termination: string;
}

const DRAW: End = { result: '1/2-1/2', termination: 'draw_agreement' };

function winOf(color: Color): Result {
  return color === 'white' ? '1-0' : '0-1';
}

function opposite(color: Color): Color {
  return color === 'white' ? 'black' : 'white';
}

function unknown(word: string): GambitError {
  return new GambitError(`games of kind 30 have no message for this: ${word}`);
}
