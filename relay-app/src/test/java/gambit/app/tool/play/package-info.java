/** Tests of {@code gambit play}, some of them in a real terminal. */
@NullMarked
package gambit.app.tool.play;

import org.jspecify.annotations.NullMarked;
