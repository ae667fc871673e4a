import { createHash } from 'node:crypto';
import { guestSigner } from '../../src/index.js';

/** An admin of a relay, who calls its methods (NIP-86). */
export class Admin {
  readonly #signer = guestSigner();
  #serial = 0;

  /** For the setting `management.admins`. */
  get npub(): string {
    return this.#signer.npub;
  }

  get pubkey(): string {
    return this.#signer.pubkey;
  }

  /** @param relay the URL of its WebSocket */
  async call(relay: string, method: string, ...params: unknown[]): Promise<unknown> {
    const url = `${relay.replace(/^ws/, 'http')}/`;
    const body = JSON.stringify({ method, params });
    const payload = createHash('sha256').update(body).digest('hex');
    const login = await this.#signer.signEvent({
      kind: 27235,
      content: `${++this.#serial}`, // each login is valid once
      tags: [['u', url], ['method', 'POST'], ['payload', payload]],
      created_at: Math.floor(Date.now() / 1000),
    });
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/nostr+json+rpc',
        authorization: `Nostr ${Buffer.from(JSON.stringify(login)).toString('base64')}`,
      },
      body,
    });
    const { result, error } = (await response.json()) as { result: unknown; error?: string };
    if (error) {
      throw new Error(error);
    }
    return result;
  }

  /** The code of an invite for a number of members. */
  async invite(relay: string, uses = 1): Promise<string> {
    return ((await this.call(relay, 'createinvite', uses, 1, '')) as { code: string }).code;
  }
}
