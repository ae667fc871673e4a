@NullMarked
package gambit.core.tls;

import org.jspecify.annotations.NullMarked;
