/**
 * What all parts of the session manager share: the context, requests, bindings, pending commits and
 * their queues, events that were seen, announcements, settings and metrics.
 */
@NullMarked
package gambit.chess.session.runtime;

import org.jspecify.annotations.NullMarked;
