/** Tests of the program as its users meet it: the packaged jar in a process of its own. */
@NullMarked
package gambit.app;

import org.jspecify.annotations.NullMarked;
