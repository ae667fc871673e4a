/** Marks below the pieces of a board: last move, check, selected square, targets, premove. */
import type { Chessboard } from 'cm-chessboard/src/Chessboard.js';
import { Svg } from 'cm-chessboard/src/lib/Svg.js';
import { EXTENSION_POINT, Extension } from 'cm-chessboard/src/model/Extension.js';
import type { Mark } from './mark.js';

/** Draws marks, again after each change of the board's size or orientation. */
export class SquareMarks extends Extension {
  readonly #group: SVGElement;
  #marks: readonly Mark[] = [];

  constructor(chessboard: Chessboard) {
    super(chessboard);
    this.#group = Svg.addElement(chessboard.view.markersLayer, 'g', { class: 'marks' });
    this.registerExtensionPoint(EXTENSION_POINT.afterRedrawBoard, () => this.#draw());
  }

  /** Replaces all marks. */
  set(marks: readonly Mark[]): void {
    this.#marks = marks;
    this.#draw();
  }

  #draw(): void {
    this.#group.replaceChildren();
    for (const { kind, square } of this.#marks) {
      const view = this.chessboard.view;
      const size = view.squareWidth;
      const { x, y } = view.squareToPoint(square);
      const shape =
        kind === 'target' || kind === 'capture'
          ? { name: 'circle', at: { cx: x + size / 2, cy: y + size / 2, r: size * (kind === 'target' ? 0.15 : 0.44) } }
          : { name: 'rect', at: { x, y, width: size, height: size } };
      const isDark = (square.charCodeAt(0) + Number(square[1])) % 2 === 0;
      Svg.addElement(this.#group, shape.name, {
        ...shape.at,
        class: `mark mark-${kind} ${isDark ? 'on-dark' : 'on-light'}`,
        'data-mark': kind,
        'data-on': square,
        ...(kind === 'capture' ? { 'stroke-width': size * 0.08 } : {}),
      });
    }
  }
}
