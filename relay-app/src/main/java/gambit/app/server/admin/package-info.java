/**
 * What admins see and change of the running program besides its members and decisions: figures,
 * connections, settings, backups, warnings and state, each a method of management.
 */
@NullMarked
package gambit.app.server.admin;

import org.jspecify.annotations.NullMarked;
