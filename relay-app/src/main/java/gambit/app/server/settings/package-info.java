/**
 * All settings of the program: {@link gambit.app.server.settings.Settings} has a component for each
 * section of {@code reference.conf}.
 *
 * <p>The record of the section {@code name} is called {@code NameSettings}, and reads the section
 * by itself. It is in the package of the feature that it configures, or here if it configures the
 * relay as a whole. {@link gambit.app.server.settings.RelaySettings} reads the limits and the other
 * records of relay-core and relay-chess. {@code SettingsPlacesTest} enforces this.
 */
@NullMarked
package gambit.app.server.settings;

import org.jspecify.annotations.NullMarked;
