/** The pieces of a board, as elements that are kept from one position to the next. */
import { type Point, UNIT, cornerOf } from './geometry.js';
import { type Placement, changeBetween, isOneMove } from './placement.js';
import type { Color, Square } from './position.js';

/** How long a piece slides. */
const SLIDE_MILLIS = 120;
/** Positions that come faster than two in this time are not animated, so that the board is never behind them. */
const FAST_MILLIS = 300;

const SVG = 'http://www.w3.org/2000/svg';

/** How a position is drawn. */
export interface Look {
  readonly side: Color;
  /** The address of the pieces. */
  readonly sprite: string;
  /** Whether the position is drawn without an animation. */
  readonly still: boolean;
}

/**
 * Draws positions, each at once when it is given: what is still sliding is put in its place first. Only
 * pieces that differ from the position before are touched. A dragged piece follows the pointer.
 */
export class PieceLayer {
  readonly #group: () => SVGGElement;
  readonly #elements = new Map<Square, SVGUseElement>();
  #placement: Placement = new Map();
  #side: Color = 'white';
  #sprite = '';
  #slides: Animation[] = [];
  /** Captured pieces, which are drawn until the capturing one arrives. */
  #captured: SVGUseElement[] = [];
  /** When the last two positions were drawn, the older one first. */
  #drawnAt: readonly [number, number] = [-Infinity, -Infinity];
  #dropped: Square | undefined;
  #carried: { readonly square: Square; readonly ghost: Node } | undefined;

  /** @param group finds the element that holds the pieces */
  constructor(group: () => SVGGElement) {
    this.#group = group;
  }

  /** The pieces as they are drawn. */
  get placement(): Placement {
    return this.#placement;
  }

  /** The square of the piece that follows the pointer. */
  get carried(): Square | undefined {
    return this.#carried?.square;
  }

  show(placement: Placement, { side, sprite, still }: Look): void {
    const change = changeBetween(this.#placement, placement);
    const { movements, removed, added } = change;
    if (side !== this.#side || sprite !== this.#sprite) {
      this.#side = side;
      this.#sprite = sprite;
      still = true;
      this.#elements.forEach((element, square) => {
        element.setAttribute('href', this.#hrefOf(this.#placement.get(square)!));
        this.#put(element, square);
      });
    } else if (movements.length + removed.length + added.length === 0) {
      return;
    }
    this.#endSlides();
    const now = performance.now();
    const slides = !still && isOneMove(change) && now - this.#drawnAt[0] > FAST_MILLIS && !prefersStillness();
    this.#drawnAt = [this.#drawnAt[1], now];
    if (this.#carried && placement.get(this.#carried.square) !== this.#placement.get(this.#carried.square)) {
      this.putDown();
    }
    const moved = movements.map((movement) => ({ ...movement, element: this.#take(movement.from) }));
    for (const square of removed) {
      const element = this.#take(square);
      if (slides) {
        this.#captured.push(element);
      } else {
        element.remove();
      }
    }
    for (const { from, to, element } of moved) {
      this.#elements.set(to, element);
      this.#put(element, to);
      this.#group().append(element);
      if (slides && from !== this.#dropped) {
        this.#slide(element, from, to);
      }
    }
    if (this.#slides.length === 0) {
      this.#endSlides();
    }
    for (const square of added) {
      this.#elements.set(square, this.#add(placement.get(square)!, square));
    }
    this.#placement = placement;
    this.#dropped = undefined;
  }

  /** Lets the piece of a square follow the pointer, above all others; a pale copy stays. */
  carry(square: Square, to: Point): void {
    const element = this.#elements.get(square);
    if (!element) {
      return;
    }
    if (!this.#carried) {
      this.#endSlides();
      const ghost = element.cloneNode() as SVGUseElement;
      ghost.setAttribute('class', 'piece-ghost');
      this.#group().prepend(ghost);
      this.#group().append(element);
      this.#carried = { square, ghost };
    }
    element.setAttribute('x', `${to.x - UNIT / 2}`);
    element.setAttribute('y', `${to.y - UNIT / 2}`);
  }

  /**
   * Puts the carried piece back on its square.
   *
   * @param isDropped whether it was moved, so that the next position does not let it slide again
   */
  putDown(isDropped = false): void {
    if (this.#carried) {
      const { square, ghost } = this.#carried;
      ghost.parentNode?.removeChild(ghost);
      this.#put(this.#elements.get(square)!, square);
      this.#dropped = isDropped ? square : undefined;
      this.#carried = undefined;
    }
  }

  #add(piece: string, square: Square): SVGUseElement {
    const element = document.createElementNS(SVG, 'use');
    element.setAttribute('href', this.#hrefOf(piece));
    element.dataset['piece'] = piece;
    this.#put(element, square);
    this.#group().append(element);
    return element;
  }

  #take(square: Square): SVGUseElement {
    const element = this.#elements.get(square)!;
    this.#elements.delete(square);
    return element;
  }

  #put(element: SVGUseElement, square: Square): void {
    const { x, y } = cornerOf(square, this.#side);
    element.setAttribute('x', `${x}`);
    element.setAttribute('y', `${y}`);
    element.dataset['square'] = square;
  }

  #slide(element: SVGUseElement, from: Square, to: Square): void {
    const start = cornerOf(from, this.#side);
    const end = cornerOf(to, this.#side);
    const slide = element.animate(
      [{ transform: `translate(${start.x - end.x}px, ${start.y - end.y}px)` }, { transform: 'none' }],
      { duration: SLIDE_MILLIS, easing: 'ease-out' },
    );
    slide.onfinish = () => this.#endSlides();
    this.#slides.push(slide);
  }

  #endSlides(): void {
    this.#slides.forEach((slide) => slide.cancel());
    this.#slides = [];
    this.#captured.forEach((element) => element.remove());
    this.#captured = [];
  }

  #hrefOf(piece: string): string {
    return `${this.#sprite}#${piece}`;
  }
}

/** Whether the user prefers that nothing moves. */
function prefersStillness(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
