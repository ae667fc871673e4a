/** The parts of the page that few visits need: they are loaded after the first load. */
import { useEffect, useState } from 'preact/hooks';
import { notify } from '../ui/notices.js';
import { t } from '../language/t.js';
import type { Session } from './session.js';
import { useSettings } from './settings.js';

/** Leaderboards, the ratings of a player, and the arithmetic that checks them. */
export const loadRatings = () => import('../ratings/ratings.js');
export const useRatings = later(loadRatings, () => t('The ratings could not be loaded. Please reload the page.'));

/** Encrypted keys and other devices, friends, the search for players. */
export const usePeople = later(() => import('../people/people.js'), () => t('A part of this page could not be loaded. Please reload it.'));

/** Joining a relay that is for members. */
export const useMembers = later(() => import('../members/members.js'), () => t('A part of this page could not be loaded. Please reload it.'));

/** Lists of finished games, and the games that are worth watching. */
export const useLists = later(() => import('../lists/lists.js'), () => t('The games could not be loaded. Please reload the page.'));

/** The verification of finished games. */
export const useVerify = later(() => import('../verify/verify.js'), () => t('A part of this page could not be loaded. Please reload it.'));

/** The analysis of games and positions. */
export const useAnalysis = later(() => import('../analysis/analysis.js'), () => t('The analysis could not be loaded. Please reload the page.'));

/** The browser's notifications. */
const loadNotifier = () => import('../notifications/notifier.js');

/** Notifies of a session's games as long as the component is rendered and the user wants it. */
export function useNotifier(session: Session | undefined): void {
  const { notifications } = useSettings();
  useEffect(() => {
    if (!session || !notifications) return;
    let stop: (() => void) | undefined;
    let isOver = false;
    loadNotifier().then(
      ({ startNotifier }) => {
        if (!isOver) stop = startNotifier(session);
      },
      () => notify(t('A part of this page could not be loaded. Please reload it.'), 'problem'),
    );
    return () => {
      isOver = true;
      stop?.();
    };
  }, [session, notifications]);
}

/** A hook that loads a part, once a component needs it; undefined until it is there. */
function later<Part>(load: () => Promise<Part>, problem: () => string): () => Part | undefined {
  return () => {
    const [part, setPart] = useState<Part>();
    useEffect(() => {
      load().then(setPart, () => notify(problem(), 'problem'));
    }, []);
    return part;
  };
}
