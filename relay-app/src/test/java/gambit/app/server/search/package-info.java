/** Tests of search (NIP-50): the words of texts, the index, and searches over sockets. */
@NullMarked
package gambit.app.server.search;

import org.jspecify.annotations.NullMarked;
