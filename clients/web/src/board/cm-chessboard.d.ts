/** Types of what the page uses of cm-chessboard 8.15, which has none. */

declare module 'cm-chessboard/src/Chessboard.js' {
  export interface InputEvent {
    readonly type: 'moveInputStarted' | 'movingOverSquare' | 'validateMoveInput' | 'moveInputCanceled' | 'moveInputFinished';
    readonly squareFrom: string;
    readonly squareTo?: string | null;
  }

  export interface Props {
    position?: string;
    orientation?: 'w' | 'b';
    responsive?: boolean;
    assetsUrl?: string;
    assetsCache?: boolean;
    style?: {
      cssClass?: string;
      showCoordinates?: boolean;
      borderType?: 'none' | 'thin' | 'frame';
      pieces?: { type?: 'svgSprite'; file?: string; tileSize?: number };
      animationDuration?: number;
    };
    extensions?: { class: unknown; props?: object }[];
  }

  export interface View {
    readonly svg: SVGSVGElement;
    readonly markersLayer: SVGGElement;
    readonly squareWidth: number;
    /** The piece under the pointer while it is dragged. */
    readonly visualMoveInput: { readonly draggablePiece?: SVGSVGElement | null };
    squareToPoint(square: string): { x: number; y: number };
    redrawPieces(): void;
  }

  export class Chessboard {
    constructor(context: HTMLElement, props?: Props);
    readonly view: View;
    readonly props: Props;
    readonly state: { readonly position: { movePiece(from: string, to: string): void } };
    readonly positionAnimationsQueue: { readonly workingOnPromise: boolean };
    movePiece(from: string, to: string, animated?: boolean): Promise<void>;
    setPosition(fen: string, animated?: boolean): Promise<void>;
    setOrientation(color: 'w' | 'b', animated?: boolean): Promise<void>;
    getOrientation(): 'w' | 'b';
    enableMoveInput(handler: (event: InputEvent) => boolean | void, color?: 'w' | 'b'): void;
    disableMoveInput(): void;
    cancelMoveInput(): void;
    destroy(): void;
  }
}

declare module 'cm-chessboard/src/model/Extension.js' {
  import type { Chessboard } from 'cm-chessboard/src/Chessboard.js';

  export const EXTENSION_POINT: { readonly afterRedrawBoard: string };

  export class Extension {
    constructor(chessboard: Chessboard);
    readonly chessboard: Chessboard;
    registerExtensionPoint(name: string, callback: () => void): void;
  }
}

declare module 'cm-chessboard/src/lib/Svg.js' {
  export class Svg {
    static createSvg(container?: Element): SVGSVGElement;
    static addElement(parent: Element, name: string, attributes?: Record<string, unknown>): SVGElement;
  }
}
