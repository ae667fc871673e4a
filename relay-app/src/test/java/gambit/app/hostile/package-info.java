/**
 * Attacks on the packaged jar in a separate process. The tests check the answers, that a
 * well-behaved client is served meanwhile, and that the attack leaves no resources in use.
 */
@NullMarked
package gambit.app.hostile;

import org.jspecify.annotations.NullMarked;
