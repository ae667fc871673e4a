import { useEffect } from 'preact/hooks';
import { t } from '../language/t.js';

let title = '';
let isOwnTurn = false;

function show(): void {
  document.title = [isOwnTurn && t('Your turn'), title, 'Gambit'].filter(Boolean).join(' · ');
}

/** Sets the title of the window as long as the component is rendered. */
export function usePageTitle(text: string): void {
  useEffect(() => {
    title = text;
    show();
  }, [text]);
}

/** Says in the title of every page whether it is the player's turn. */
export function showTurnInTitle(isTurn: boolean): void {
  isOwnTurn = isTurn;
  show();
}
