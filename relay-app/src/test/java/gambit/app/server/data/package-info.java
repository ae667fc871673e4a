/** Tests of the backups that the running relay makes. */
@NullMarked
package gambit.app.server.data;

import org.jspecify.annotations.NullMarked;
