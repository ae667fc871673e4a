/** {@code gambit cluster}: commands for the operators of several relays that are one. */
@NullMarked
package gambit.app.command.cluster;

import org.jspecify.annotations.NullMarked;
