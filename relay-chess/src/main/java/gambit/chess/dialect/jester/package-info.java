/** Chess by kind 30 as jesterui and Amethyst play it: messages, and the rules for them. Pure. */
@NullMarked
package gambit.chess.dialect.jester;

import org.jspecify.annotations.NullMarked;
