/** How much of the page is seen beside the board. */
import { announce } from '../app/announce.js';
import { t } from '../language/t.js';

/** Hides everything but the board, the clocks, the moves and the actions, or shows it again. */
export function toggleZen(): void {
  const { dataset } = document.documentElement;
  if (dataset['zen'] === undefined) {
    dataset['zen'] = '';
    announce(t('Zen mode on. Press Z to leave it.'));
  } else {
    leaveZen();
    announce(t('Zen mode off.'));
  }
}

/** Shows the whole page. */
export function leaveZen(): void {
  delete document.documentElement.dataset['zen'];
}

/** Shows the page on the full screen, or in its window again. */
export function toggleFullScreen(): void {
  const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.();
  done?.catch(() => undefined); // the browser does not allow it
}
