/** Tests of {@code gambit play}, some of them in a real terminal. */
@NullMarked
package gambit.app.play;

import org.jspecify.annotations.NullMarked;
