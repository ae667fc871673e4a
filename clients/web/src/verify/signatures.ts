/** Ids and signatures of events (NIP-01, BIP-340). */
import { getEventHash, verifyEvent } from 'nostr-tools/pure';
import type { NostrEvent } from './events.js';
import { t } from '../language/t.js';

/** Returns the reason why an event is not its author's, as a clause; undefined if id and signature are valid. */
export type ForgeryCheck = (event: NostrEvent) => string | undefined;

/** Checks id and signature, which takes about a millisecond. */
export const forgeryOf: ForgeryCheck = (event) => {
  // A copy, because nostr-tools keeps the result of an earlier check in the object.
  const copy = {
    id: event.id,
    pubkey: event.pubkey,
    created_at: event.created_at,
    kind: event.kind,
    tags: event.tags.map((tag) => [...tag]),
    content: event.content,
    sig: event.sig,
  };
  if (getEventHash(copy) !== event.id) {
    return t('the event {id} has an id that is not its hash', { id: event.id });
  }
  return verifyEvent(copy) ? undefined : t('the event {id} is not signed by the key that it names', { id: event.id });
};

/**
 * Checks many events in slices, so that the page stays responsive, and returns a check that knows
 * their results. Events that are not among them are checked when they are asked for.
 *
 * @param onprogress is called with the number of checked events
 */
export async function checkedAhead(
  events: readonly NostrEvent[],
  onprogress: (done: number) => void,
  check: ForgeryCheck = forgeryOf,
): Promise<ForgeryCheck> {
  const results = new Map<NostrEvent, string | undefined>();
  let sliceEnd = performance.now() + SLICE_MILLIS;
  for (const event of events) {
    results.set(event, check(event));
    if (performance.now() > sliceEnd) {
      onprogress(results.size);
      await new Promise((resolve) => setTimeout(resolve, 0));
      sliceEnd = performance.now() + SLICE_MILLIS;
    }
  }
  onprogress(results.size);
  return (event) => (results.has(event) ? results.get(event) : check(event));
}

const SLICE_MILLIS = 12;
