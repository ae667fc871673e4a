// A client built on rust-nostr's package for JavaScript; scenarios.mjs documents its methods.
import './platform.mjs';
import sdk from '@rust-nostr/nostr-sdk';

export const name = 'rust-nostr';
const patience = () => sdk.Duration.fromSecs(60);

sdk.loadWasmSync();

export async function connect(url, { signsIn }) {
  const keys = sdk.Keys.generate();
  const client = new sdk.Client(sdk.NostrSigner.keys(keys));
  client.automaticAuthentication(signsIn);
  await client.addRelay(url);
  await client.tryConnect(patience());
  return new Client(url, client, keys, signsIn);
}

class Client {
  #url;
  #client;
  #keys;
  #signsIn;

  constructor(url, client, keys, signsIn) {
    this.#url = url;
    this.#client = client;
    this.#keys = keys;
    this.#signsIn = signsIn;
    this.pubkey = keys.publicKey.toHex();
  }

  publish({ kind, created_at, tags, content }) {
    return this.#send(
      new sdk.EventBuilder(new sdk.Kind(kind), content)
        .tags(tags.map(tag => sdk.Tag.parse(tag)))
        .customCreatedAt(sdk.Timestamp.fromSecs(created_at)),
    );
  }

  delete(event) {
    const request = new sdk.EventDeletionRequest();
    request.ids = [sdk.EventId.parse(event.id)];
    return this.#send(sdk.EventBuilder.delete(request));
  }

  async #send(builder) {
    const event = builder.signWithKeys(this.#keys);
    accepted(await this.#client.sendEvent(event));
    return plain(event);
  }

  async query(filter) {
    const events = await this.#client.fetchEvents(filterOf(filter), patience());
    return events.toVec().map(plain);
  }

  watch(filter, onevent) {
    return new Promise((stored, refused) => {
      this.#client.handleNotifications({
        handleEvent: async (url, subscription, event) => {
          if (subscription === 'watch') {
            onevent(plain(event));
          }
        },
        handleMsg: async (url, message) => {
          const [type, subscription, reason] = JSON.parse(message.asJson());
          if (subscription === 'watch' && type === 'EOSE') {
            stored();
          } else if (subscription === 'watch' && type === 'CLOSED' && !this.#signsInFor(reason)) {
            refused(new Error(reason));
          }
        },
      });
      this.#client.subscribeWithId('watch', filterOf(filter));
    });
  }

  /** The library signs in and subscribes again. */
  #signsInFor(reason) {
    return this.#signsIn && reason.startsWith('auth-required:');
  }

  async count(filter) {
    const relay = await this.#client.relay(this.#url);
    return { count: Number(await relay.countEvents(filterOf(filter), patience())) };
  }

  async whisper(pubkey, text) {
    const output = await this.#client.sendPrivateMsg(sdk.PublicKey.parse(pubkey), text);
    accepted(output);
    return { id: output.id.toHex() };
  }

  async open(wrap) {
    const { sender, rumor } = await this.#client.unwrapGiftWrap(eventOf(wrap));
    return { sender: sender.toHex(), text: rumor.content };
  }

  async close() {
    await this.#client.shutdown();
  }
}

function accepted(output) {
  if (output.success.length === 0) {
    throw new Error(output.failed.map(({ error }) => error).join());
  }
}

function filterOf(filter) {
  return sdk.Filter.fromJson(JSON.stringify(filter));
}

function eventOf(event) {
  return sdk.Event.fromJson(JSON.stringify(event));
}

function plain(event) {
  return JSON.parse(event.asJson());
}
