/**
 * The log of the program: its settings, the form of a line, and what keeps lines of libraries
 * within bounds. Logback writes it; the rest of the program logs through SLF4J.
 */
@NullMarked
package gambit.app.server.log;

import org.jspecify.annotations.NullMarked;
