/** Tests of the program's log: the form of its lines, its settings and its limits. */
@NullMarked
package gambit.app.server.log;

import org.jspecify.annotations.NullMarked;
