/**
 * The operator's commands on bans and reports, and the request of the control channel that carries
 * out their calls in the running relay.
 */
@NullMarked
package gambit.app.command.management;

import org.jspecify.annotations.NullMarked;
