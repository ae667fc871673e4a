/**
 * The event log: append-only segments of groups, one for each commit. A record keeps its offset for
 * ever, and is never returned if its checksum is wrong. What has been appended is durable; damage
 * is reported and never repaired silently. The log knows nothing of the index.
 */
@NullMarked
package gambit.core.store.disk.log;

import org.jspecify.annotations.NullMarked;
