import { changeSettings, useSettings } from '../app/settings.js';
import { t } from '../language/t.js';
import { Choice } from '../ui/Choice.js';
import { MiniBoard } from '../ui/MiniBoard.js';
import { Switch } from '../ui/Switch.js';
import './board-settings.css';

/** The Italian opening, in which pieces of every kind are seen on both colours. */
const SAMPLE = 'r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4';

/** The user's choices about the board. */
export function BoardSettings() {
  const { boardTheme, pieceSet, alwaysQueen, severalPremoves } = useSettings();
  return (
    <>
      <div class="board-settings">
        <MiniBoard fen={SAMPLE} lastMove="f8c5" />
        <div>
          <Choice
            label={t('Board')}
            value={boardTheme}
            options={[
              { value: 'green', label: t('Green') },
              { value: 'brown', label: t('Brown') },
              { value: 'blue', label: t('Blue') },
            ]}
            onChange={(chosen) => changeSettings({ boardTheme: chosen })}
          />
          <Choice
            label={t('Pieces')}
            value={pieceSet}
            options={[
              { value: 'classic', label: t('Classic') },
              { value: 'flat', label: t('Flat') },
              { value: 'letters', label: t('Letters') },
            ]}
            onChange={(chosen) => changeSettings({ pieceSet: chosen })}
          />
        </div>
      </div>
      <Switch label={t('Always promote to a queen')} checked={alwaysQueen} onChange={(on) => changeSettings({ alwaysQueen: on })}>
        {t('Hold Alt while you move the pawn to choose another piece.')}
      </Switch>
      <Switch label={t('Several premoves')} checked={severalPremoves} onChange={(on) => changeSettings({ severalPremoves: on })}>
        {t('Each move that you enter before your turn is added, and one is played each time your opponent has moved.')}
      </Switch>
    </>
  );
}
