/** Tests of lanes and alarms. */
@NullMarked
package gambit.core.lane;

import org.jspecify.annotations.NullMarked;
