/** An invitation that was sent as a link. */
export function ChallengePage({ id }: { id: string }) {
  return <h1>Invitation {id.slice(0, 8)}</h1>;
}
