/** The parts of the page that few visits need: they are loaded after the first load. */
import { useEffect, useState } from 'preact/hooks';
import { notify } from '../ui/notices.js';

/** Leaderboards, the ratings of a player, and the arithmetic that checks them. */
export const loadRatings = () => import('../ratings/ratings.js');

/** That part; undefined until it has been loaded. */
export function useRatings(): Awaited<ReturnType<typeof loadRatings>> | undefined {
  const [part, setPart] = useState<Awaited<ReturnType<typeof loadRatings>>>();
  useEffect(() => {
    loadRatings().then(setPart, () => notify('The ratings could not be loaded. Please reload the page.', 'problem'));
  }, []);
  return part;
}
