/**
 * The narrow port through which the relay is measured. No metrics library in here: the program
 * brings one.
 */
@NullMarked
package gambit.core.meter;

import org.jspecify.annotations.NullMarked;
