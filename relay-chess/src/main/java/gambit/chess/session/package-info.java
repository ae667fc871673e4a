/**
 * The in-relay session manager: it owns, on the chess lane, who searches, who plays and which
 * connections are whose; it asks the referee, has the outcome stored, and then tells. No rules of
 * chess in here.
 */
@NullMarked
package gambit.chess.session;

import org.jspecify.annotations.NullMarked;
