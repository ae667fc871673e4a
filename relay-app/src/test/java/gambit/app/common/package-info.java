/** Tests of the output that commands share. */
@NullMarked
package gambit.app.common;

import org.jspecify.annotations.NullMarked;
