import type { Game } from 'gambit-client';
import { useEffect } from 'preact/hooks';
import { showTurnInTitle } from './usePageTitle.js';

/** Says in the title of every page whether it is the player's turn in one of some games. */
export function useTurnInTitle(games: readonly Game[]): void {
  useEffect(() => {
    const show = (): void =>
      showTurnInTitle(games.some(({ result, turn, color }) => result === undefined && turn === color));
    const removals = games.map((game) => game.on('change', show));
    show();
    return () => {
      removals.forEach((remove) => remove());
      showTurnInTitle(false);
    };
  }, [games.map(({ id }) => id).join()]);
}
