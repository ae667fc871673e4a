/** Previews of links to games: a page and a picture for each, made when they are asked for. */
@NullMarked
package gambit.chess.session.preview;

import org.jspecify.annotations.NullMarked;
