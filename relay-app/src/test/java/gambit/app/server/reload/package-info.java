/** Tests of the reload of the configuration. */
@NullMarked
package gambit.app.server.reload;

import org.jspecify.annotations.NullMarked;
