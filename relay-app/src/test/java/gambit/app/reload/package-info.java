/** Tests of the reload of the configuration. */
@NullMarked
package gambit.app.reload;

import org.jspecify.annotations.NullMarked;
