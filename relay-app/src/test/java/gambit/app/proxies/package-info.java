/** The recipes for proxies in docs/operations, with the real programs. */
@NullMarked
package gambit.app.proxies;

import org.jspecify.annotations.NullMarked;
