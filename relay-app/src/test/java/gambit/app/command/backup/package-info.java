/** Tests of backups and restores by the commands. */
@NullMarked
package gambit.app.command.backup;

import org.jspecify.annotations.NullMarked;
