/** The log, which Logback writes: its settings, the form of a line, and bounds for libraries. */
@NullMarked
package gambit.app.server.log;

import org.jspecify.annotations.NullMarked;
