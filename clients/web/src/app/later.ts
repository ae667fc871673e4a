/** The parts of the page that few visits need: they are loaded after the first load. */
import { useEffect, useState } from 'preact/hooks';
import { notify } from '../ui/notices.js';
import { t } from '../language/t.js';
import type { Session } from './session.js';
import { useSettings } from './settings.js';

/** Leaderboards, the ratings of a player, and the arithmetic that checks them. */
export const loadRatings = () => import('../ratings/ratings.js');

/** That part; undefined until it has been loaded. */
export function useRatings(): Awaited<ReturnType<typeof loadRatings>> | undefined {
  return useLater(loadRatings, () => t('The ratings could not be loaded. Please reload the page.'));
}

/** Encrypted keys and other devices, friends, the search for players. */
const loadPeople = () => import('../people/people.js');

/** That part; undefined until it has been loaded. */
export function usePeople(): Awaited<ReturnType<typeof loadPeople>> | undefined {
  return useLater(loadPeople, () => t('A part of this page could not be loaded. Please reload it.'));
}

/** Lists of finished games, and the games that are worth watching. */
const loadLists = () => import('../lists/lists.js');

/** That part; undefined until it has been loaded. */
export function useLists(): Awaited<ReturnType<typeof loadLists>> | undefined {
  return useLater(loadLists, () => t('The games could not be loaded. Please reload the page.'));
}

/** The verification of finished games. */
const loadVerify = () => import('../verify/verify.js');

/** That part; undefined until it has been loaded. */
export function useVerify(): Awaited<ReturnType<typeof loadVerify>> | undefined {
  return useLater(loadVerify, () => t('A part of this page could not be loaded. Please reload it.'));
}

/** The analysis of games and positions. */
const loadAnalysis = () => import('../analysis/analysis.js');

/** That part; undefined until it has been loaded. */
export function useAnalysis(): Awaited<ReturnType<typeof loadAnalysis>> | undefined {
  return useLater(loadAnalysis, () => t('The analysis could not be loaded. Please reload the page.'));
}

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

function useLater<Part>(load: () => Promise<Part>, problem: () => string): Part | undefined {
  const [part, setPart] = useState<Part>();
  useEffect(() => {
    load().then(setPart, () => notify(problem(), 'problem'));
  }, []);
  return part;
}

