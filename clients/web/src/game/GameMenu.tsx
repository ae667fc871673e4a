import { t } from '../language/t.js';
import { BoardAndSound } from '../me/BoardAndSound.js';
import { Button } from '../ui/Button.js';
import { Dialog, DialogActions } from '../ui/Dialog.js';
import './game-menu.css';
import { toggleFullScreen, toggleZen } from './view-modes.js';

/** The settings of board and sound, in a game. */
export function GameMenu({ onClose }: { onClose: () => void }) {
  const closeAnd = (action: () => void) => () => {
    onClose();
    action();
  };
  return (
    <Dialog title={t('Board and sound')} class="game-menu" onClose={onClose}>
      <div class="game-menu-modes">
        <Button size="small" onClick={closeAnd(toggleZen)}>{t('Zen mode')} <kbd>z</kbd></Button>
        {document.fullscreenEnabled && <Button size="small" onClick={closeAnd(toggleFullScreen)}>{t('Full screen')} <kbd>f</kbd></Button>}
      </div>
      <BoardAndSound />
      <DialogActions>
        <Button size="small" variant="primary" onClick={onClose}>{t('Done')}</Button>
      </DialogActions>
    </Dialog>
  );
}
