/** The lobby. */
export function LobbyPage() {
  return <h1>Play chess</h1>;
}
