/** The configuration: its layers, names, and values with errors that name their place. */
@NullMarked
package gambit.app.server.config;

import org.jspecify.annotations.NullMarked;
