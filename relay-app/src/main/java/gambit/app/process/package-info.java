/** Programs that this one starts, and their output. */
@NullMarked
package gambit.app.process;

import org.jspecify.annotations.NullMarked;
