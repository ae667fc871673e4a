/** Tests of the extension surface: features in a running relay, over real sockets. */
@NullMarked
package gambit.core.feature;

import org.jspecify.annotations.NullMarked;
