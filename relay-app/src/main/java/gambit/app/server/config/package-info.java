/**
 * Reading of the configuration: its layers, the names of settings in each, and values with errors
 * that name their place. Knows no section of the settings; {@code gambit.app.server.settings} lists
 * them.
 */
@NullMarked
package gambit.app.server.config;

import org.jspecify.annotations.NullMarked;
