import type { Game } from 'gambit-client';
import { useEffect, useRef } from 'preact/hooks';
import { announce } from '../app/announce.js';
import { opponentOf } from '../board/position.js';
import { moveInWords } from '../board/words.js';
import { t } from '../language/t.js';
import { clockInWords, lowTime } from './clock-format.js';
import type { GameState } from './game-state.js';
import type { OwnProposals } from './proposals.js';
import { notify } from '../ui/notices.js';
import { changeText } from '../ui/ratings.js';
import { resultInWords } from './result-words.js';
import { play } from './sounds.js';

/** Speaks moves, proposals, absences, low time and the end, and plays their sounds. */
export function useGameNews(game: Game, state: GameState, proposals: OwnProposals): void {
  useEffect(
    () =>
      state.onNews((news) => {
        if (news.kind === 'takenback') {
          announce(t('Moves were taken back.'));
          return;
        }
        announce(moveInWords(news.ply));
        play(news.ply.check ? 'check' : news.ply.captured ? 'capture' : 'move');
      }),
    [state],
  );
  useEffect(() => {
    if (game.color && game.result === undefined && game.ply === 0) {
      play('start');
    }
  }, [game]);
  useProposalNews(game);
  useEffect(
    () =>
      proposals.onDeclined(() =>
        announce(proposals.declined === 'draw' ? t('Draw declined.') : t('Takeback declined.'), 'assertive'),
      ),
    [proposals],
  );
  usePresenceNews(game);
  useEndNews(game);
  useRatingNews(game);
  useSeatNews(game);
  useLowTimeNews(game);
}

function useProposalNews(game: Game): void {
  const { kind, by } = game.proposal ?? {};
  useEffect(() => {
    if (game.color && kind && by !== game.color) {
      const words = kind === 'draw' ? t('Your opponent offers a draw.') : t('Your opponent asks to take back a move.');
      announce(words, 'assertive');
    }
  }, [kind, by]);
}

/** The opponent's leaving and returning. */
function usePresenceNews(game: Game): void {
  const presence = game.color && game.presence?.[opponentOf(game.color)];
  const now = presence === undefined ? undefined : presence === 'present' ? 'present' : 'away';
  const before = useRef(now);
  useEffect(() => {
    const previous = before.current;
    before.current = now ?? previous;
    if (now && previous && now !== previous && game.result === undefined) {
      announce(now === 'away' ? t('Your opponent is away.') : t('Your opponent is back.'));
    }
  }, [now]);
}

function useEndNews(game: Game): void {
  const wasRunning = useRef(game.result === undefined);
  useEffect(() => {
    if (game.result !== undefined && wasRunning.current && game.white) {
      const { title, reason } = resultInWords(game.result, game.termination ?? '', game.color);
      announce(t('{title}. {reason}', { title, reason }), 'assertive');
      play('end');
    }
    wasRunning.current = game.result === undefined;
  }, [game.result]);
}

/** The player's new rating, which follows the end of a rated game. */
function useRatingNews(game: Game): void {
  const wasRunning = useRef(game.result === undefined).current;
  const change = game.color && game.record?.rated?.[game.color];
  useEffect(() => {
    if (change && wasRunning) {
      announce(t('Your rating is now {rating}, {change}.', { rating: Math.round(change.after), change: changeText(change) }));
    }
  }, [change]);
}

/** In a start of kind 30, somebody else may move first. */
function useSeatNews(game: Game): void {
  const hadSeat = useRef(false);
  useEffect(() => {
    if (hadSeat.current && !game.color) notify(t('Somebody else was faster and has the seat now.'), 'problem', game.id);
    hadSeat.current = game.color !== undefined;
  }, [game.color]);
}

/** Once in each game, when little time is left to the player. */
function useLowTimeNews(game: Game): void {
  const isAnnounced = useRef(false);
  const { color, clockRunning } = game;
  useEffect(() => {
    if (!color || clockRunning !== color || isAnnounced.current) {
      return;
    }
    const left = game.clock()?.[color];
    if (left === undefined) {
      return;
    }
    const wait = left - lowTime(game.time);
    if (wait > 2 ** 31 - 1) {
      return;
    }
    const timer = setTimeout(() => {
      isAnnounced.current = true;
      announce(t('{time} left on your clock.', { time: clockInWords(game.clock()?.[color] ?? 0) }), 'assertive');
      play('low-time');
    }, Math.max(0, wait));
    return () => clearTimeout(timer);
  }, [color, clockRunning, game.ply]);
}
