/** The operator's commands on bans and reports. */
@NullMarked
package gambit.app.management;

import org.jspecify.annotations.NullMarked;
