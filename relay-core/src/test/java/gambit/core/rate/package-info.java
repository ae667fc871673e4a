@NullMarked
package gambit.core.rate;

import org.jspecify.annotations.NullMarked;
