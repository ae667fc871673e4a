/** Steps through the moves of a game by the mouse wheel and by swipes. */

/** A step through the moves. */
export type ReviewStep = 'back' | 'forward';

/** A notch of a wheel is longer, in pixels; trackpads scroll by less at a time. */
const NOTCH_PIXELS = 50;
const LINE_PIXELS = 20;
const SWIPE_PIXELS = 40;

/** Turns the scrolling of a wheel or a trackpad into steps. */
export class WheelSteps {
  #sum = 0;

  /** The step that an event completes: down is forward, as on a page. */
  of({ deltaY, deltaMode }: Pick<WheelEvent, 'deltaY' | 'deltaMode'>): ReviewStep | undefined {
    const pixels = deltaMode === 0 ? deltaY : deltaY * LINE_PIXELS;
    this.#sum = Math.sign(pixels) === Math.sign(this.#sum) ? this.#sum + pixels : pixels;
    if (Math.abs(this.#sum) < NOTCH_PIXELS) {
      return undefined;
    }
    const step = this.#sum > 0 ? 'forward' : 'back';
    this.#sum = 0;
    return step;
  }
}

/** The step of a swipe by so many pixels, as one turns pages; undefined if it is too short or not level. */
export function swipeStep(x: number, y: number): ReviewStep | undefined {
  const isSwipe = Math.abs(x) >= SWIPE_PIXELS && Math.abs(x) > 2 * Math.abs(y);
  return isSwipe ? (x < 0 ? 'forward' : 'back') : undefined;
}
