/** Tests of the commands for keys. */
@NullMarked
package gambit.app.key;

import org.jspecify.annotations.NullMarked;
