/**
 * Search for events by their text (NIP-50): an index of the stored events' words, made with Apache
 * Lucene, which follows the store. {@code TextSearch} is the feature; unless it is switched on, the
 * program loads the settings only.
 */
@NullMarked
package gambit.app.server.search;

import org.jspecify.annotations.NullMarked;
