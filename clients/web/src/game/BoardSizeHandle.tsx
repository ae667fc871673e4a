import { useRef } from 'preact/hooks';
import { changeSettings } from '../app/settings.js';
import { t } from '../language/t.js';

/**
 * The corner by which a pointer changes the size of the board; for keys, the menu has the same setting. It has the
 * width of the smallest and of the largest board as elements, since script cannot compute what style sheets define.
 */
export function BoardSizeHandle() {
  const smallest = useRef<HTMLSpanElement>(null);
  const largest = useRef<HTMLSpanElement>(null);
  const resize = (event: PointerEvent & { currentTarget: HTMLElement }): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) {
      return;
    }
    const { left, width } = event.currentTarget.parentElement!.getBoundingClientRect();
    const [min, max] = [smallest.current!.offsetWidth, largest.current!.offsetWidth];
    // The board is centred: its size grows by twice the way of the pointer.
    const size = width + 2 * (event.clientX - left - width);
    if (max > min) {
      changeSettings({ boardSize: Math.round(100 * Math.min(1, Math.max(0, (size - min) / (max - min)))) });
    }
  };
  return (
    <div
      class="board-size"
      aria-hidden="true"
      title={t('Board size')}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={resize}
    >
      <span ref={smallest} class="board-smallest" />
      <span ref={largest} class="board-largest" />
    </div>
  );
}
