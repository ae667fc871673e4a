/**
 * What the whole program shares: messages and files of the operator, and programs that it starts.
 */
@NullMarked
package gambit.app.common;

import org.jspecify.annotations.NullMarked;
