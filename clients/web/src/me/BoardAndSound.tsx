import { changeSettings, useSettings } from '../app/settings.js';
import { BoardSettings } from '../board/BoardSettings.js';
import { play } from '../game/sounds.js';
import { t } from '../language/t.js';
import { Range } from '../ui/Range.js';
import { Switch } from '../ui/Switch.js';

/** The settings of boards and sounds, in the user's settings and in the menu of a game. */
export function BoardAndSound() {
  const { boardSize, volume, confirmsSlowMoves } = useSettings();
  return (
    <>
      <Range label={t('Board size')} value={boardSize} onChange={(size) => changeSettings({ boardSize: size })} />
      <Range
        label={t('Volume')}
        value={volume}
        onChange={(percent) => {
          changeSettings({ volume: percent });
          play('move');
        }}
      />
      <BoardSettings />
      <Switch
        label={t('Confirm moves of slow games')}
        checked={confirmsSlowMoves}
        onChange={(on) => changeSettings({ confirmsSlowMoves: on })}
      >
        {t('With an hour or more for a move, or without a clock.')}
      </Switch>
    </>
  );
}
