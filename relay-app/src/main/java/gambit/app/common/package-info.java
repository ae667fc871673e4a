/** What all of the program shares: messages and files of the operator, and other programs. */
@NullMarked
package gambit.app.common;

import org.jspecify.annotations.NullMarked;
