/** Data directories of older versions, and backups, are opened with this version. */
@NullMarked
package gambit.app.upgrades;

import org.jspecify.annotations.NullMarked;
