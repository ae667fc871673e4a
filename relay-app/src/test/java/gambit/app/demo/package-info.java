/** Tests of the demonstration game. */
@NullMarked
package gambit.app.demo;

import org.jspecify.annotations.NullMarked;
