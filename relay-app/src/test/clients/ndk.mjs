// A client built on NDK; scenarios.mjs documents its methods.
import './platform.mjs';
import NDK, {
  NDKEvent, NDKPrivateKeySigner, fetchRelayInformation, giftUnwrap, giftWrap,
} from '@nostr-dev-kit/ndk';

export const name = 'NDK';
const PATIENCE = 10_000;

export async function connect(url, { signsIn }) {
  const signer = NDKPrivateKeySigner.generate();
  const ndk = new NDK({ explicitRelayUrls: [url], signer, enableOutboxModel: false });
  if (signsIn) {
    ndk.relayAuthDefaultPolicy = async () => true;
  }
  await ndk.connect(PATIENCE);
  return new Client(ndk, signer);
}

export function information(url) {
  return fetchRelayInformation(url);
}

class Client {
  #ndk;

  constructor(ndk, signer) {
    this.#ndk = ndk;
    this.pubkey = signer.pubkey;
  }

  publish(template) {
    return this.#send(new NDKEvent(this.#ndk, template));
  }

  async #send(event) {
    await event.publish(undefined, PATIENCE);
    return event.rawEvent();
  }

  async delete(event) {
    return this.#send(await new NDKEvent(this.#ndk, event).delete('', false));
  }

  async query(filter) {
    return [...(await this.#ndk.fetchEvents(filter))].map(event => event.rawEvent());
  }

  watch(filter, onevent) {
    return new Promise((onEose, refused) => {
      this.#ndk
        .subscribe(filter, { onEvent: event => onevent(event.rawEvent()), onEose })
        .on('closed', (relay, reason) => {
          if (!this.#signsInFor(reason)) {
            refused(new Error(reason));
          }
        });
    });
  }

  /** The library signs in and subscribes again. */
  #signsInFor(reason) {
    return this.#ndk.relayAuthDefaultPolicy && reason.startsWith('auth-required:');
  }

  async count(filter) {
    const { count, relayResults } = await this.#ndk.count(filter, { timeout: PATIENCE });
    const [told] = relayResults.values();
    return { count: told.count, estimate: count };
  }

  async whisper(pubkey, content) {
    const rumor = new NDKEvent(this.#ndk, {
      kind: 14,
      created_at: Math.floor(Date.now() / 1000),
      tags: [['p', pubkey]],
      content,
    });
    return this.#send(await giftWrap(rumor, this.#ndk.getUser({ pubkey })));
  }

  async open(wrap) {
    const { pubkey, content } = await giftUnwrap(new NDKEvent(this.#ndk, wrap));
    return { sender: pubkey, text: content };
  }

  async close() {
    this.#ndk.pool.relays.forEach(relay => relay.disconnect());
  }
}
