import { Chess } from 'chess.js';
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { START } from '../../src/kind30.js';
import type { Color, VerifiedEvent } from '../../src/index.js';

/** A player who writes events of kind 30 as the clients of jesterui and Amethyst do. */
export class Correspondent {
  readonly secret = generateSecretKey();
  readonly pubkey = getPublicKey(this.secret);

  event(content: unknown, ...tags: string[][]): VerifiedEvent {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    const created_at = Math.floor(Date.now() / 1000);
    return finalizeEvent({ kind: 30, content: text, tags, created_at }, this.secret);
  }

  /** @param opponent makes it a challenge */
  start(playerColor: Color, opponent?: string): VerifiedEvent {
    const nonce = crypto.randomUUID();
    const content = { version: '0', kind: 0, history: [], nonce, playerColor };
    return this.event(content, ['e', START], ...(opponent ? [['p', opponent]] : []));
  }

  /** @param history all moves in SAN, the new one last */
  move(start: VerifiedEvent, head: string, history: string[], more: Record<string, unknown> = {}): VerifiedEvent {
    const chess = new Chess();
    history.forEach(san => chess.move(san));
    const content = { version: '0', kind: 1, fen: chess.fen(), move: history.at(-1), history, ...more };
    return this.event(content, ['e', start.id], ['e', head]);
  }
}
