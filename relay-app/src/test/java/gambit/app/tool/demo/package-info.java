/** Tests of the demonstration game. */
@NullMarked
package gambit.app.tool.demo;

import org.jspecify.annotations.NullMarked;
