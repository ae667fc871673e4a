/** Tests of commands that reach the relay of a data directory. */
@NullMarked
package gambit.app.access;

import org.jspecify.annotations.NullMarked;
