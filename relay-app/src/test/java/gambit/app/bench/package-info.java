/** Tests of {@code gambit bench}, and tests that use its clients. */
@NullMarked
package gambit.app.bench;

import org.jspecify.annotations.NullMarked;
