/**
 * What clients of both dialects are sent, frame by frame: the golden frame files, and the pages
 * that quote them.
 */
@NullMarked
package gambit.chess.frames;

import org.jspecify.annotations.NullMarked;
