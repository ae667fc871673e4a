/** The user's identity and settings. */
export function MePage() {
  return <h1>You and your settings</h1>;
}
