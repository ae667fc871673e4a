/** Tests of the backups that the running relay makes. */
@NullMarked
package gambit.app.server.backup;

import org.jspecify.annotations.NullMarked;
