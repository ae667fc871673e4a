/**
 * The piece sets: each is one SVG with a group for each piece, `wk` to `bp`, 40 units wide. The classic pieces,
 * from cm-chessboard, are by Cburnett and Rfc1394, CC BY-SA 3.0; the help page credits them. A browser loads
 * only the chosen set.
 */
import classic from 'cm-chessboard/assets/pieces/standard.svg?url';
import { useSettings } from '../app/settings.js';
import flat from './pieces/flat.svg?url';
import letters from './pieces/letters.svg?url';

const SPRITES = { classic, flat, letters };

/** The address of the chosen set; the component is rendered again when another is chosen. */
export function usePieceSprite(): string {
  return SPRITES[useSettings().pieceSet];
}
