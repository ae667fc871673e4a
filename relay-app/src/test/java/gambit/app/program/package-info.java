/** The packaged jar as its users meet it, in a separate process. */
@NullMarked
package gambit.app.program;

import org.jspecify.annotations.NullMarked;
