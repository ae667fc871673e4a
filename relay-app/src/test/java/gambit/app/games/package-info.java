/**
 * Players that play random games over a relay, and a model of each game from the messages of the
 * relay. After the relay is killed and restarted, its games are compared with these models.
 */
@NullMarked
package gambit.app.games;

import org.jspecify.annotations.NullMarked;
