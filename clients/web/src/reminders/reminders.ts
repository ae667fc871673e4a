import type { GambitClient } from 'gambit-client';

/** What an application keeps for its user (NIP-78). */
const APPLICATION_DATA = 30078;
/** The relays at which a user reads private messages (NIP-17). */
const MESSAGE_RELAYS = 10050;
const NAME = 'gambit-reminders';
const MAX_RELAYS = 100;

async function latestChoice(client: GambitClient) {
  const filter = { kinds: [APPLICATION_DATA], authors: [client.pubkey], '#d': [NAME], '#p': [client.info.referee] };
  const [choice] = await client.query(filter);
  return choice;
}

/** Whether the player wants to be reminded of slow games. */
export async function wantsReminders(client: GambitClient): Promise<boolean> {
  return (await latestChoice(client))?.content === 'on';
}

/** Switches the reminders on or off. */
export async function changeReminders(client: GambitClient, on: boolean): Promise<void> {
  const now = Math.floor(client.relayTime / 1000);
  // Of two versions of one second, the relay keeps the one with the lower id.
  const created_at = Math.max(now, ((await latestChoice(client))?.created_at ?? 0) + 1);
  const tags = [
    ['d', NAME],
    ['p', client.info.referee],
  ];
  await client.publish({ kind: APPLICATION_DATA, content: on ? 'on' : 'off', tags, created_at });
}

async function messageRelays(client: GambitClient): Promise<string[][]> {
  const [list] = await client.query({ kinds: [MESSAGE_RELAYS], authors: [client.pubkey] });
  return list?.tags ?? [];
}

/** Whether the player reads private messages at this relay, as other programs know. */
export async function readsMessagesHere(client: GambitClient): Promise<boolean> {
  return (await messageRelays(client)).some(([name, url]) => name === 'relay' && url === client.url);
}

/** Adds this relay to those at which the player reads private messages; the others stay. */
export async function readMessagesHere(client: GambitClient): Promise<void> {
  const tags = [...(await messageRelays(client)).slice(0, MAX_RELAYS), ['relay', client.url]];
  await client.publish({ kind: MESSAGE_RELAYS, content: '', tags });
}

/** Stops the reminders of the player whose token a reminder has. */
export async function stopReminders(client: GambitClient, token: string): Promise<void> {
  await client.publish({ kind: 5000, content: 'stopreminders', tags: [['token', token]] });
}
