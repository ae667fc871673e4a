/** The relay's own WebSocket, for what is no call: profiles, and events that are published again. */
import type { NostrEvent } from 'nostr-tools/pure';
import { Relay } from 'nostr-tools/relay';
import { relayUrl } from './calls.js';

const TIMEOUT_MILLISECONDS = 10_000;

let connection: Promise<Relay> | undefined;

/** The connection, opened when it is needed and again after it was lost. */
function connected(): Promise<Relay> {
  if (!connection) {
    const opened = Relay.connect(relayUrl().replace(/^http/, 'ws'));
    const forget = () => {
      if (connection === opened) connection = undefined;
    };
    connection = opened;
    opened.then((relay) => {
      relay.onclose = forget;
      relay.publishTimeout = TIMEOUT_MILLISECONDS;
    }, forget);
  }
  return connection;
}

/** The newest profiles (kind 0) of some authors; none where the relay does not tell them. */
export async function fetchProfiles(authors: string[]): Promise<NostrEvent[]> {
  const relay = await connected();
  return new Promise((resolve) => {
    const found: NostrEvent[] = [];
    const end = () => {
      clearTimeout(late);
      subscription.close();
      resolve(found);
    };
    const late = setTimeout(end, TIMEOUT_MILLISECONDS);
    const subscription = relay.subscribe([{ kinds: [0], authors }], {
      onevent: (event) => void found.push(event),
      oneose: end,
      onclose: () => {
        clearTimeout(late);
        resolve(found);
      },
    });
  });
}

/**
 * Publishes an event.
 *
 * @throws Error with the relay's reason if it refuses
 */
export async function publish(event: NostrEvent): Promise<void> {
  await (await connected()).publish(event);
}
