/** What survives when the program is killed, and how it ends when one of its threads dies. */
@NullMarked
package gambit.app.faults;

import org.jspecify.annotations.NullMarked;
