/** Tests of what a client may ask for and how it is bounded. */
@NullMarked
package gambit.core.session;

import org.jspecify.annotations.NullMarked;
