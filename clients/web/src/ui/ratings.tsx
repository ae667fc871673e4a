/** Ratings beside names, and the kinds of games in words. */
import { categoryOf, parseTimeControl, type Category, type RatingChange, type Strength } from 'gambit-client';
import { useSession } from '../app/session.js';
import { keepsKey } from '../identity/identity.js';
import { paceOf } from './time.js';
import { number, signed } from '../language/format.js';
import { t } from '../language/t.js';
import './ratings.css';

/** Above this deviation, a rating is provisional. */
const PROVISIONAL = 110;

/** A rating in whole points, with a question mark if it is provisional: "1500?". */
export function ratingText({ rating, deviation }: Strength): string {
  return `${number(rating, { useGrouping: false })}${deviation > PROVISIONAL ? '?' : ''}`;
}

/** What a game has changed, in the whole points that are shown: "+8", "−12", "±0". */
export function changeText({ before, after }: Pick<RatingChange, 'before' | 'after'>): string {
  return signed(Math.round(after) - Math.round(before));
}

/** A player's rating, and what a game has changed: "1523 +8". */
export function Rating({ strength, change }: { strength?: Strength | undefined; change?: RatingChange | undefined }) {
  const shown = change ? { rating: Math.round(change.before), deviation: strength?.deviation ?? change.deviation } : strength;
  if (!shown) return null;
  return (
    <span class="rating">
      <span class="visually-hidden">{t('rating')} </span>
      {ratingText(shown)}
      {change && (
        <>
          {' '}
          <span class={change.after < change.before ? 'rating-lost' : 'rating-won'}>{changeText(change)}</span>
        </>
      )}
    </span>
  );
}

/** "Rated blitz" or "Casual". */
export function modeText(category: Category | undefined): string {
  if (!category) return t('Casual');
  return t('{category, select, bullet {Rated bullet} blitz {Rated blitz} rapid {Rated rapid} classical {Rated classical} other {Rated correspondence}}', { category });
}

/** The kind of a game: "Rated blitz", "Casual blitz". Where there are no rated games, none is called casual. */
export function useKind(time: string, rated = false): string {
  const { client } = useSession();
  const category = categoryWith(time);
  if (!client.info.chess.rated || !category) return paceOf(time);
  if (rated) return modeText(category);
  return t('{category, select, bullet {Casual bullet} blitz {Casual blitz} rapid {Casual rapid} classical {Casual classical} other {Casual correspondence}}', { category });
}

/** The category of games with a time control; none without clocks. */
export function categoryWith(time: string): Category | undefined {
  const control = parseTimeControl(time);
  return control && categoryOf(control);
}

/** Whether the relay has rated games, and the player keeps the key that would be rated. */
export function useRatedPlay(): { hasRated: boolean; mayPlay: boolean } {
  const { client, identity } = useSession();
  const hasRated = client.info.chess.rated;
  return { hasRated, mayPlay: hasRated && keepsKey(identity) };
}
