/**
 * The address of the pieces: one SVG with a group for each, `wk` to `bp`, 40 units wide, from
 * cm-chessboard. They are by Cburnett and Rfc1394, CC BY-SA 3.0; the help page credits them.
 */
export { default as pieceSpriteUrl } from 'cm-chessboard/assets/pieces/standard.svg?url';
