import { hrefOf } from '../app/router.js';
import { Switch } from './Switch.js';
import { categoryWith, useRatedPlay } from './ratings.js';
import { rich, t } from '../language/t.js';

/** Whether a game is rated; guests read why their games are not. */
export function RatedSwitch({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  const { hasRated, mayPlay } = useRatedPlay();
  if (!hasRated) return null;
  return mayPlay ? <Switch label={t('Rated')} checked={checked} onChange={onChange} /> : <SaveKey />;
}

/** Why a guest plays casual games. */
export function SaveKey() {
  return <p class="small">{rich('<a>Save your key</a> to play rated.', { a: (text) => <a href={hrefOf({ page: 'me' })}>{text}</a> })}</p>;
}

/** Whether a game with this time control and first position may be rated. */
export function mayBeRated(time: string, fen?: string | null): boolean {
  return !fen && categoryWith(time) !== undefined;
}
