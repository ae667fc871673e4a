/** The program: entry point, configuration, wiring, metrics and command line. */
@NullMarked
package gambit.app;

import org.jspecify.annotations.NullMarked;
