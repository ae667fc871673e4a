// A client built on nostr-tools; scenarios.mjs documents its methods.
import './platform.mjs';
import {
  SimplePool, finalizeEvent, generateSecretKey, getPublicKey, nip11, nip17, nip77,
} from 'nostr-tools';
import { getToken } from 'nostr-tools/nip98';
import { estimateCount, hllDecode } from 'nostr-tools/nip45';

export const name = 'nostr-tools';

/** Shorter than the library's ten seconds, and longer than one second, because it queries later events only. */
const UNTIL_RECONNECTION = 1_100;

export async function connect(url, { signsIn }) {
  return new Client(url, signsIn);
}

export function information(url) {
  return nip11.fetchRelayInformation(url);
}

export async function manage(url, secret, method, ...params) {
  const call = { method, params };
  const http = url.replace(/^ws/, 'http');
  const sign = template => finalizeEvent(template, secret);
  const response = await fetch(http, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/nostr+json+rpc',
      Authorization: await getToken(http, 'POST', sign, true, call),
    },
    body: JSON.stringify(call),
  });
  return response.json();
}

class Client {
  #url;
  #secret = generateSecretKey();
  #sign = async template => finalizeEvent(template, this.#secret);
  #signIn;
  #pool;

  constructor(url, signsIn) {
    this.#url = url;
    this.#signIn = signsIn ? { onauth: this.#sign } : {};
    this.#pool = new SimplePool({
      automaticallyAuth: () => (signsIn ? this.#sign : null),
      enableReconnect: true,
    });
    this.pubkey = getPublicKey(this.#secret);
  }

  async publish(template) {
    return this.#send(await this.#sign(template));
  }

  async #send(event) {
    await Promise.all(this.#pool.publish([this.#url], event, this.#signIn));
    return event;
  }

  delete(event) {
    return this.publish({
      kind: 5,
      created_at: Math.floor(Date.now() / 1000),
      tags: [['e', event.id], ['k', `${event.kind}`]],
      content: '',
    });
  }

  query(filter) {
    return this.#pool.querySync([this.#url], filter, { ...this.#signIn, maxWait: 60_000 });
  }

  watch(filter, onevent) {
    return new Promise((stored, refused) => {
      this.#pool.subscribe([this.#url], filter, {
        ...this.#signIn,
        onevent,
        oneose: () => queueMicrotask(stored), // it is also called before onclose
        onclose: ([{ reason }]) => refused(new Error(reason)),
      });
    });
  }

  async count(filter) {
    const relay = await this.#pool.ensureRelay(this.#url);
    const { count, hll } = await relay.countWithHLL([filter]);
    return { count, estimate: estimateCount(hllDecode(hll)) };
  }

  async sync(filter, known) {
    const storage = new nip77.NegentropyStorageVector();
    known.forEach(({ created_at, id }) => storage.insert(created_at, id));
    storage.seal();
    const relay = await this.#pool.ensureRelay(this.#url);
    const have = [];
    const need = [];
    await new Promise((resolve, reject) => {
      new nip77.NegentropySync(relay, storage, filter, {
        onhave: id => have.push(id),
        onneed: id => need.push(id),
        onclose: reason => (reason ? reject(new Error(reason)) : resolve()),
      }).start();
    });
    return { have, need };
  }

  whisper(publicKey, text) {
    return this.#send(nip17.wrapEvent(this.#secret, { publicKey }, text));
  }

  async open(wrap) {
    const { pubkey, content } = nip17.unwrapEvent(wrap, this.#secret);
    return { sender: pubkey, text: content };
  }

  /** Breaks the connection; the library reconnects and subscribes again. */
  async loseConnection() {
    const relay = await this.#pool.ensureRelay(this.#url);
    relay.resubscribeBackoff = [UNTIL_RECONNECTION];
    relay.ws.terminate();
  }

  async close() {
    this.#pool.destroy();
  }
}
