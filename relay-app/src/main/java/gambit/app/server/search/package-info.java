/** Search for events by their text (NIP-50): an index of Lucene that follows the store. */
@NullMarked
package gambit.app.server.search;

import org.jspecify.annotations.NullMarked;
