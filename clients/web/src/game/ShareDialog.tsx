import { useId } from 'preact/hooks';
import { hrefOf, shareableUrl } from '../app/router.js';
import { t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { CopyButton } from '../ui/CopyButton.js';
import { Dialog } from '../ui/Dialog.js';
import './share.css';

/** Link, position and moves of a game, to copy. */
export function ShareDialog({ gameId, fen, pgn, isOver, onClose }: {
  gameId: string;
  fen: string;
  pgn: string;
  isOver: boolean;
  onClose: () => void;
}) {
  // The relay's own address of a game has a preview; a page of another relay has none.
  const link = location.search ? shareableUrl({ page: 'game', id: gameId }) : new URL(`game/${gameId}`, location.href).href;
  const share = (): void => void navigator.share({ title: document.title, url: link }).catch(() => undefined); // not shared after all
  return (
    <Dialog title={t('Share this game')} onClose={onClose}>
      <p class="muted small">{t('Anybody can open the link, during the game and afterwards.')}</p>
      <Shared label={t('Link')} copy={t('Copy link')} text={link} />
      {'share' in navigator && <Button size="small" onClick={share}>{t('Send the link to somebody…')}</Button>}
      <Shared label="FEN" copy={t('Copy FEN')} text={fen} />
      <Shared label="PGN" copy={t('Copy PGN')} text={pgn} isLong />
      {isOver && <p><a href={hrefOf({ page: 'lobby', fen })}>{t('Play from this position')}</a></p>}
    </Dialog>
  );
}

function Shared({ label, copy, text, isLong = false }: { label: string; copy: string; text: string; isLong?: boolean }) {
  const id = useId();
  return (
    <div class="shared">
      <label for={id}>{label}</label>
      {isLong ? (
        <textarea id={id} readOnly rows={7} value={text} onFocus={(event) => event.currentTarget.select()} />
      ) : (
        <input id={id} readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
      )}
      <CopyButton text={text} label={copy} size="small" />
    </div>
  );
}
