/** Tests of the output that commands share. */
@NullMarked
package gambit.app.operator;

import org.jspecify.annotations.NullMarked;
