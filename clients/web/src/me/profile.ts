import type { GambitClient } from 'gambit-client';

/**
 * The content of a profile (kind 0) with another name. All other fields are kept, as other programs
 * may use them; without a name the field is removed.
 *
 * @param content the content of the newest profile, or undefined if there is none
 */
export function withName(content: string | undefined, name: string): string {
  let fields: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(content ?? '{}');
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) fields = { ...parsed };
  } catch {
    // A content that is no JSON has no fields to keep.
  }
  // Where programs prefer the display name, it has to change as well.
  for (const field of ['name', ...('display_name' in fields ? ['display_name'] : [])]) {
    if (name === '') delete fields[field];
    else fields[field] = name;
  }
  return JSON.stringify(fields);
}

/** Publishes the player's own profile with another name. */
export async function publishName(client: GambitClient, name: string): Promise<void> {
  const [newest] = await client.query({ kinds: [0], authors: [client.pubkey], limit: 1 });
  const now = Math.floor(client.relayTime / 1000);
  await client.publish({
    kind: 0,
    content: withName(newest?.content, name),
    tags: newest?.tags ?? [],
    // Of two versions of one second, the relay keeps the one with the lower id.
    created_at: Math.max(now, (newest?.created_at ?? 0) + 1),
  });
}
