/** Authors, as the admin page shows them: by the name of their profile, which is a stranger's text, and by npub. */
import { useEffect } from 'preact/hooks';
import { Listeners, useNotifications } from '../app/store.js';
import { CopyButton } from '../ui/CopyButton.js';
import { guestName } from '../ui/guest-name.js';
import { npubOf, oneLine, shortNpub } from '../ui/names.js';
import { fetchProfiles } from './socket.js';

/** The most names that are kept; beyond that, the oldest is forgotten and may be asked for again. */
const MAX_NAMES = 2_000;
const AUTHORS_PER_REQUEST = 100;
/** Milliseconds within which names are put into one request. */
const BATCH_MILLISECONDS = 50;

const names = new Map<string, string | undefined>();
const wanted = new Set<string>();
const listeners = new Listeners();

/** Asks the relay for a name, unless it is known or was asked for. */
function want(pubkey: string): void {
  if (names.has(pubkey) || wanted.has(pubkey)) return;
  if (wanted.size === 0) setTimeout(() => void ask(), BATCH_MILLISECONDS);
  wanted.add(pubkey);
}

async function ask(): Promise<void> {
  const authors = [...wanted];
  wanted.clear();
  for (const pubkey of authors) keep(pubkey, undefined);
  for (let i = 0; i < authors.length; i += AUTHORS_PER_REQUEST) {
    // Without an answer, people are shown by their keys.
    const profiles = await fetchProfiles(authors.slice(i, i + AUTHORS_PER_REQUEST)).catch(() => []);
    for (const { pubkey, content } of profiles) keep(pubkey, nameIn(content));
  }
  listeners.notify();
}

function keep(pubkey: string, name: string | undefined): void {
  if (!names.has(pubkey) && names.size >= MAX_NAMES) names.delete(names.keys().next().value!);
  names.set(pubkey, name);
}

/** The name in the content of a profile (kind 0), in one line and of bounded length. */
export function nameIn(content: string): string | undefined {
  try {
    const { name, display_name: other } = JSON.parse(content) as { name?: unknown; display_name?: unknown };
    return [name, other].map((it) => (typeof it === 'string' ? oneLine(it) : undefined)).find((it) => it !== undefined);
  } catch {
    return undefined;
  }
}

/** The name of a profile, as far as it was asked for, or the one that the players' page gives to guests. */
export function knownName(pubkey: string): string {
  return names.get(pubkey) ?? guestName(pubkey);
}

/** The name of a profile, or the one that the players' page gives to guests, in italics. */
export function Name({ pubkey }: { pubkey: string }) {
  useNotifications((listener) => listeners.add(listener), listeners);
  useEffect(() => want(pubkey), [pubkey]);
  const name = names.get(pubkey);
  return <bdi class={name === undefined ? 'admin-guest' : undefined} title={npubOf(pubkey)}>{knownName(pubkey)}</bdi>;
}

/** The short npub, a button that copies the whole one. */
export function Npub({ pubkey }: { pubkey: string }) {
  return (
    <span class="admin-copy">
      <CopyButton text={npubOf(pubkey)} label={<><span class="visually-hidden">Copy </span><code>{shortNpub(pubkey)}</code></>} variant="quiet" size="small" />
    </span>
  );
}

/** A name with the short npub. */
export function Person({ pubkey }: { pubkey: string }) {
  return (
    <span class="admin-person">
      <strong><Name pubkey={pubkey} /></strong>
      <Npub pubkey={pubkey} />
    </span>
  );
}
