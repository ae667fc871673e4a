/** The container image, the package for Debian and the unit for systemd, installed and run. */
@NullMarked
package gambit.app.packaging;

import org.jspecify.annotations.NullMarked;
