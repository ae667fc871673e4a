/**
 * Reload of the configuration while the relay runs: which settings need a restart, the order of a
 * reload, and the control channel through which {@code gambit reload} requests one. Knows the
 * program only as what puts settings in force.
 */
@NullMarked
package gambit.app.server.reload;

import org.jspecify.annotations.NullMarked;
