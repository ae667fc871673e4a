/** The program: entry point, command line, settings and wiring. */
@NullMarked
package gambit.app;

import org.jspecify.annotations.NullMarked;
