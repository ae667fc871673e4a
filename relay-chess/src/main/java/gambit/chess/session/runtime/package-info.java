/**
 * The classes that all parts of the session manager share: context, requests, bindings, pending
 * commits and the tasks that wait for them, seen events, announcements, settings and metrics.
 */
@NullMarked
package gambit.chess.session.runtime;

import org.jspecify.annotations.NullMarked;
