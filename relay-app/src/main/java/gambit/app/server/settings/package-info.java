/** All settings of the program, as one record of sections. */
@NullMarked
package gambit.app.server.settings;

import org.jspecify.annotations.NullMarked;
