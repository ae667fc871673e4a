/**
 * Log lines that clients can cause, limited so that nobody can flood the log. Used by the relay,
 * its features and the program.
 */
@NullMarked
package gambit.core.log;

import org.jspecify.annotations.NullMarked;
