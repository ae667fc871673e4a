/** The house player and {@code gambit bot}, as people meet them: by the packaged jar's sockets. */
@NullMarked
package gambit.app.house;

import org.jspecify.annotations.NullMarked;
