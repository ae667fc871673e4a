/** Error messages for the operator, shared by the program's commands. */
@NullMarked
package gambit.app.operator;

import org.jspecify.annotations.NullMarked;
