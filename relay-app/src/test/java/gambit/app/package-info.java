/** Tests of the start of the program and its settings, in this process. */
@NullMarked
package gambit.app;

import org.jspecify.annotations.NullMarked;
