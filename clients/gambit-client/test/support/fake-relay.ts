import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { matchFilters, type Filter } from 'nostr-tools/filter';
import { finalizeEvent, generateSecretKey, getPublicKey, type EventTemplate } from 'nostr-tools/pure';
import { WebSocketServer, type WebSocket } from 'ws';
import type { VerifiedEvent } from '../../src/index.js';

/** A relay that sends whatever a test wants. It accepts every event and stores none. */
export class FakeRelay {
  readonly #secret = generateSecretKey();
  readonly #http: Server;
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly requests: unknown[][] = [];
  /** The events that are sent before EOSE, where they match. */
  stored: VerifiedEvent[] = [];
  /** Called with each message before it is answered; what it returns is sent instead of the answer. */
  onMessage: (message: unknown[]) => unknown[][] | undefined = () => undefined;

  /**
   * @param claims further values of its information document
   * @param chessClaims further values of the part about chess
   */
  constructor(claims: Record<string, unknown> = {}, chessClaims: Record<string, unknown> = {}) {
    this.#http = createServer((_request, response) => {
      const chess = { default_time: '1/600', first_move_limit: 30, abandon_grace: 60, max_clock_skew: 60, ...chessClaims };
      response.end(JSON.stringify({ ...claims, self: this.pubkey, supported_nips: [1, 11, 42], chess }));
    });
    this.#http.on('upgrade', (request, socket, head) => {
      this.#sockets.handleUpgrade(request, socket, head, client => {
        client.on('message', data => this.#received(client, JSON.parse(String(data)) as unknown[]));
      });
    });
  }

  get pubkey(): string {
    return getPublicKey(this.#secret);
  }

  get url(): string {
    return `ws://localhost:${(this.#http.address() as AddressInfo).port}`;
  }

  get connections(): number {
    return this.#sockets.clients.size;
  }

  async start(): Promise<this> {
    this.#http.listen(0);
    await once(this.#http, 'listening');
    return this;
  }

  stop(): void {
    for (const client of this.#sockets.clients) {
      client.terminate();
    }
    this.#http.close();
  }

  /** Ends all connections. */
  cut(): void {
    for (const client of this.#sockets.clients) {
      client.terminate();
    }
  }

  /** An event that the relay has signed now. */
  event(template: Pick<EventTemplate, 'kind' | 'content' | 'tags'>): VerifiedEvent {
    return finalizeEvent({ ...template, created_at: Math.floor(Date.now() / 1000) }, this.#secret);
  }

  /** Sends a text to all clients. */
  sendText(text: string): void {
    for (const client of this.#sockets.clients) {
      client.send(text);
    }
  }

  /** Sends an event to all clients under every subscription that they have made. */
  publish(event: unknown): void {
    for (const [verb, id] of this.requests) {
      if (verb === 'REQ') {
        this.sendText(JSON.stringify(['EVENT', id, event]));
      }
    }
  }

  #received(client: WebSocket, message: unknown[]): void {
    this.requests.push(message);
    const [verb, id, ...filters] = message;
    const answer = this.onMessage(message);
    if (answer) {
      for (const each of answer) {
        client.send(JSON.stringify(each));
      }
    } else if (verb === 'REQ') {
      const found = (filters as Filter[]).flatMap(filter => {
        const matching = this.stored.filter(event => matchFilters([filter], event));
        return matching.sort((a, b) => b.created_at - a.created_at).slice(0, filter.limit);
      });
      for (const event of new Set(found)) {
        client.send(JSON.stringify(['EVENT', id, event]));
      }
      client.send(JSON.stringify(['EOSE', id]));
    } else if (verb === 'EVENT') {
      client.send(JSON.stringify(['OK', (id as { id: string }).id, true, '']));
    }
  }
}
