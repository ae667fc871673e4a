/** The shared code of the program's clients, which work with any relay and trust none. */
@NullMarked
package gambit.app.tool.client;

import org.jspecify.annotations.NullMarked;
