/** Management over HTTP and by the operator, over sockets to a relay in this process. */
@NullMarked
package gambit.core.management;

import org.jspecify.annotations.NullMarked;
