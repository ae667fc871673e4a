/** Tests of connections, their limits and their queries. */
@NullMarked
package gambit.core.session;

import org.jspecify.annotations.NullMarked;
