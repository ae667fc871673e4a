import { useState } from 'preact/hooks';
import { navigate } from '../app/router.js';
import { t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { Dialog, DialogActions } from '../ui/Dialog.js';
import { readStart } from '../ui/start-position.js';
import { PgnError } from '../verify/pgn-reader.js';
import { readPgnTree } from './pgn-tree.js';
import type { GameTree } from './tree.js';

/** Eight ranks at the beginning of a text. */
const FEN = /^\s*([kqrbnp1-8]{1,8}\/){7}/i;

/** Takes a game in PGN or a position as FEN. */
export function PasteDialog({ onOpen, onClose }: { onOpen: (tree: GameTree) => void; onClose: () => void }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const open = (): void => {
    try {
      if (FEN.test(text)) {
        const start = readStart(text, true);
        if ('problem' in start) throw new PgnError(start.problem);
        navigate({ page: 'analysis', fen: start.fen });
      } else {
        onOpen(readPgnTree(text));
      }
      onClose();
    } catch (error) {
      if (!(error instanceof PgnError)) throw error;
      setProblem(error.message);
    }
  };
  return (
    <Dialog title={t('Paste PGN or FEN')} class="paste" onClose={onClose}>
      <label class="field">
        <span class="field-label">{t('A game in PGN, or a position as FEN')}</span>
        <textarea class="input" rows={8} value={text} spellcheck={false} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <p class="muted small">{t('Variations, marks and comments are read. Of several games, the first one counts.')}</p>
      <p class="problem small" aria-live="polite">{problem}</p>
      <DialogActions>
        <Button size="small" onClick={onClose}>{t('Cancel')}</Button>
        <Button size="small" variant="primary" disabled={text.trim() === ''} onClick={open}>{t('Analyse')}</Button>
      </DialogActions>
    </Dialog>
  );
}
