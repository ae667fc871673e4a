/** Data directories of older versions, backups, and ones whose key is lost, are opened. */
@NullMarked
package gambit.app.upgrades;

import org.jspecify.annotations.NullMarked;
