/** The operator's commands on bans and reports. */
@NullMarked
package gambit.app.command.management;

import org.jspecify.annotations.NullMarked;
