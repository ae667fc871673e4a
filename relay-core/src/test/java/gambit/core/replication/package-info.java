/** Tests of what the nodes of a cluster exchange. */
@NullMarked
package gambit.core.replication;

import org.jspecify.annotations.NullMarked;
