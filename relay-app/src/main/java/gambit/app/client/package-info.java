/** What the program's own clients have in common: they speak to any relay, and trust none. */
@NullMarked
package gambit.app.client;

import org.jspecify.annotations.NullMarked;
