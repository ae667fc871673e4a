/** Which position of a game the board shows. */

/** The number of plies before the shown position; `live` follows the game. */
export type View = 'live' | number;

/** A step through the moves of a game. */
export type NavigationStep = 'first' | 'back' | 'forward' | 'last';

/** The number of plies before the shown position. */
export function shownPly(view: View, plies: number): number {
  return view === 'live' ? plies : Math.min(view, plies);
}

/** The view of a position; the last position is the live one. */
export function viewAt(ply: number, plies: number): View {
  return ply >= plies ? 'live' : Math.max(0, ply);
}

/** The view after a step. */
export function navigate(view: View, step: NavigationStep, plies: number): View {
  const at = shownPly(view, plies);
  switch (step) {
    case 'first':
      return viewAt(0, plies);
    case 'back':
      return viewAt(at - 1, plies);
    case 'forward':
      return viewAt(at + 1, plies);
    case 'last':
      return 'live';
  }
}

/** The step of a key; undefined if the key is none of navigation. */
export function stepOfKey(key: string): NavigationStep | undefined {
  switch (key) {
    case 'ArrowLeft':
      return 'back';
    case 'ArrowRight':
      return 'forward';
    case 'ArrowUp':
    case 'Home':
      return 'first';
    case 'ArrowDown':
    case 'End':
      return 'last';
    default:
      return undefined;
  }
}
