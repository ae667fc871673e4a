import { useSession } from '../app/session.js';

/** The page of one game: its place until the board is built. */
export function GamePage({ id }: { id: string }) {
  const { client } = useSession();
  const game = client.follow(id);
  return (
    <>
      <h1>Game</h1>
      <p><code>{game.id}</code></p>
    </>
  );
}
