/** Tests of the settings: defaults, values, and the sentences for what is wrong. */
@NullMarked
package gambit.app.server.settings;

import org.jspecify.annotations.NullMarked;
