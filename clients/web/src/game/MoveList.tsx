import { useEffect, useRef } from 'preact/hooks';
import type { Ply } from '../board/line.js';
import { t } from '../language/t.js';
import type { NavigationStep } from './navigation.js';
import { movePairs } from './pgn-export.js';
import './move-list.css';

/**
 * The moves of a game with the buttons that step through them.
 *
 * @param shown the number of plies before the shown position
 */
export function MoveList({ startFen, plies, emptyText, shown, isLive, onShow, onStep }: {
  startFen: string;
  plies: readonly Ply[];
  /** The text of an empty list. */
  emptyText: string;
  shown: number;
  isLive: boolean;
  onShow: (ply: number) => void;
  onStep: (step: NavigationStep) => void;
}) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const box = list.current!;
    // Also when the window, and with it the list, changes its size.
    const observer = new ResizeObserver(() => showCurrent(box));
    observer.observe(box);
    return () => observer.disconnect();
  }, [shown, plies.length]);
  const move = (ply: number | undefined, number: number, dots: string) => {
    const played = ply === undefined ? undefined : plies[ply - 1];
    return ply === undefined || !played ? (
      <span class="move move-none">…</span>
    ) : (
      <button
        type="button"
        class="move"
        aria-current={ply === shown ? 'step' : undefined}
        aria-label={`${number}${dots} ${played.san}`}
        onClick={() => onShow(ply)}
      >
        {played.san}
      </button>
    );
  };
  return (
    <section class="moves" aria-label={t('Moves')}>
      <ol ref={list} class="move-list" tabIndex={0} aria-label={t('List of moves')}>
        {plies.length === 0 && <li class="move-list-empty muted small">{emptyText}</li>}
        {movePairs(startFen, plies).map(({ number, white, black }) => (
          <li key={number} class="move-pair">
            <span class="move-number" aria-hidden="true">{number}</span>
            {move(white, number, '.')}
            {(black !== undefined || white === undefined) && move(black, number, '…')}
          </li>
        ))}
      </ol>
      <Navigation shown={shown} plies={plies.length} isLive={isLive} onStep={onStep} />
    </section>
  );
}

/** Scrolls the list to the shown move, and nothing else, which scrollIntoView would not promise. */
function showCurrent(box: HTMLElement): void {
  const current = box.querySelector<HTMLElement>('[aria-current]');
  box.scrollTop = current ? current.offsetTop - box.clientHeight / 2 : 0;
  box.scrollLeft = current ? current.offsetLeft - box.clientWidth / 2 : 0;
}

function Navigation({ shown, plies, isLive, onStep }: {
  shown: number;
  plies: number;
  isLive: boolean;
  onStep: (step: NavigationStep) => void;
}) {
  const button = (step: NavigationStep, label: string, sign: string, isDisabled: boolean) => (
    <button
      type="button"
      class={`move-step ${step === 'last' && !isLive ? 'move-step-live' : ''}`}
      aria-label={label}
      title={label}
      aria-disabled={isDisabled}
      onClick={() => onStep(step)}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d={sign} /></svg>
    </button>
  );
  return (
    <div class="move-steps" role="group" aria-label={t('Steps through the moves')}>
      {button('first', t('First position'), 'M6 5v14M18 5l-9 7 9 7', shown === 0)}
      {button('back', t('Previous move'), 'M15 5l-8 7 8 7', shown === 0)}
      {button('forward', t('Next move'), 'M9 5l8 7-8 7', shown === plies)}
      {button('last', isLive ? t('Last position') : t('Back to the last position'), 'M18 5v14M6 5l9 7-9 7', isLive)}
    </div>
  );
}
