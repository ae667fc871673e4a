/** A player's name and finished games. */
export function PlayerPage({ npub }: { npub: string }) {
  return <h1>{npub.slice(0, 12)}</h1>;
}
