import { decrypt, encrypt, getConversationKey } from 'nostr-tools/nip44';
import { generateSecretKey, type EventTemplate } from 'nostr-tools/pure';
import { guestSigner, type GambitClient, type GuestSigner, type VerifiedEvent } from '../../src/index.js';
import { client } from './clients.js';

const KIND = 24133;
const SECRET = 'letmein';

interface Request {
  id: string;
  method: string;
  params: string[];
}

/** A remote signer (NIP-46) for one user, which listens on a relay. It connects one client, once. */
export class Bunker {
  readonly user = guestSigner();
  readonly #secret: Uint8Array;
  readonly #client: GambitClient;
  readonly #relay: string;
  readonly #signer: GuestSigner;
  #connected?: string;

  private constructor(relay: string, secret: Uint8Array, signer: GuestSigner, connected: GambitClient) {
    this.#relay = relay;
    this.#secret = secret;
    this.#signer = signer;
    this.#client = connected;
  }

  static async start(relay: string): Promise<Bunker> {
    const secret = generateSecretKey();
    const signer = guestSigner(secret);
    const bunker = new Bunker(relay, secret, signer, await client(relay, { signer }));
    await new Promise<void>(oneose =>
      bunker.#client.subscribe([{ kinds: [KIND], '#p': [signer.pubkey] }], {
        // A request may still be answered when the test closes the bunker.
        onevent: event => void bunker.#answer(event).catch(() => undefined),
        oneose,
      }),
    );
    return bunker;
  }

  get url(): string {
    return `bunker://${this.#signer.pubkey}?relay=${encodeURIComponent(this.#relay)}&secret=${SECRET}`;
  }

  close(): void {
    this.#client.close();
  }

  async #answer(event: VerifiedEvent): Promise<void> {
    const key = getConversationKey(this.#secret, event.pubkey);
    const request = JSON.parse(decrypt(event.content, key)) as Request;
    const answer = await this.#result(request, event.pubkey).then(
      result => ({ id: request.id, result }),
      (error: Error) => ({ id: request.id, error: error.message }),
    );
    await this.#client.publish({
      kind: KIND,
      content: encrypt(JSON.stringify(answer), key),
      tags: [['p', event.pubkey]],
    });
  }

  async #result({ method, params }: Request, by: string): Promise<string> {
    if (method !== 'connect' && by !== this.#connected) {
      throw new Error('not connected');
    }
    switch (method) {
      case 'connect':
        if (params[1] !== SECRET) {
          throw new Error('wrong secret');
        } else if (this.#connected) {
          throw new Error('the secret was used');
        }
        this.#connected = by;
        return 'ack';
      case 'get_public_key':
        return this.user.pubkey;
      case 'sign_event':
        return JSON.stringify(await this.user.signEvent(JSON.parse(params[0] ?? '') as EventTemplate));
      default:
        throw new Error('unknown method');
    }
  }
}
