import type { Lobby } from 'gambit-client';
import { useEffect, useReducer, useState } from 'preact/hooks';
import { useSession } from './session.js';

/** The lobby changes with every move of every game; it is drawn this often at most. */
const DRAWN_EVERY_MILLISECONDS = 250;

/**
 * The relay's lobby as long as the component is rendered, and whether its state has arrived.
 *
 * @param player whose games are wanted; without it, all are, up to the lobby's bound
 */
export function useLobby(player?: string): { lobby: Lobby | undefined; ready: boolean } {
  const { client } = useSession();
  const [lobby, setLobby] = useState<Lobby>();
  const [ready, setReady] = useState(false);
  const [, draw] = useReducer<number, void>((count) => count + 1, 0);
  useEffect(() => {
    const opened = client.lobby(player);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const removeListener = opened.on('change', () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        draw();
      }, DRAWN_EVERY_MILLISECONDS);
    });
    opened.ready.then(() => setReady(true), () => undefined);
    setLobby(opened);
    return () => {
      clearTimeout(timer);
      removeListener();
      opened.close();
    };
  }, [client, player]);
  return { lobby, ready };
}
