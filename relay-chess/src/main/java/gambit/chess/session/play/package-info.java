/**
 * Running games: their steps, timers, awaited moves and ratings; players who are absent or return.
 * And what all parts of the session manager share: context, requests, bindings, pending commits and
 * the tasks that wait for them, seen events, announcements, settings, metrics, and the journal: the
 * rows in which all this is kept for a restart.
 */
@NullMarked
package gambit.chess.session.play;

import org.jspecify.annotations.NullMarked;
