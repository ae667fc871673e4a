import { CATEGORIES, leaderboards, type Category, type Leader } from 'gambit-client';
import { useEffect, useState } from 'preact/hooks';
import { useSession } from '../app/session.js';
import { usePageTitle } from '../app/usePageTitle.js';
import { t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { reasonOf } from '../ui/notices.js';
import { PlayerName } from '../ui/PlayerName.js';
import { categoryName } from './category-name.js';
import './ratings.css';

/** The players of a category that are drawn before the user asks for all. */
const DRAWN = 10;

/** The best players of each category. */
export function LeaderboardsPage() {
  usePageTitle(t('Leaderboards'));
  const { client } = useSession();
  const [boards, setBoards] = useState<ReadonlyMap<Category, readonly Leader[]>>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    leaderboards(client).then(setBoards, (error: unknown) => setProblem(reasonOf(error)));
  }, [client]);
  return (
    <div class="leaderboards">
      <h1>{t('Leaderboards')}</h1>
      <p class="muted">{t('The best players whose rating is settled: its deviation is at most 75.')}</p>
      {problem !== undefined && <p role="alert">{t('The leaderboards could not be loaded.')} {problem}</p>}
      {boards && (
        <div class="leaderboards-all">
          {CATEGORIES.map((category) => <Leaderboard key={category} category={category} leaders={boards.get(category) ?? []} />)}
        </div>
      )}
    </div>
  );
}

function Leaderboard({ category, leaders }: { category: Category; leaders: readonly Leader[] }) {
  const [all, setAll] = useState(false);
  const id = `leaders-${category}`;
  const drawn = all ? leaders : leaders.slice(0, DRAWN);
  return (
    <section class="card leaderboard" aria-labelledby={id}>
      <h2 id={id}>{categoryName(category)}</h2>
      {leaders.length === 0 ? (
        <p class="muted">{t('Nobody yet.')}</p>
      ) : (
        <table class="rating-table">
          <thead>
            <tr>
              <th scope="col">{t('Rank')}</th>
              <th scope="col">{t('Player')}</th>
              <th scope="col">{t('Rating')}</th>
              <th scope="col">{t('Games')}</th>
            </tr>
          </thead>
          <tbody>
            {drawn.map(({ pubkey, rating, games }, i) => (
              <tr key={pubkey}>
                <td>{i + 1}</td>
                <td><PlayerName pubkey={pubkey} size={20} /></td>
                <td>{rating}</td>
                <td>{games}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {drawn.length < leaders.length && (
        <Button variant="quiet" onClick={() => setAll(true)}>{t('Show all {n, number}', { n: leaders.length })}</Button>
      )}
    </section>
  );
}
