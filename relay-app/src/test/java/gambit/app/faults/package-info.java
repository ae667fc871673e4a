/** The program is killed, or one of its threads dies: nothing acknowledged is lost. */
@NullMarked
package gambit.app.faults;

import org.jspecify.annotations.NullMarked;
