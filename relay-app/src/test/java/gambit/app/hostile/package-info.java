/**
 * Clients that mean ill, against the packaged jar in a process of its own: what they are answered,
 * that a well-behaved client beside them is served on, and that nothing of them is left afterwards.
 */
@NullMarked
package gambit.app.hostile;

import org.jspecify.annotations.NullMarked;
