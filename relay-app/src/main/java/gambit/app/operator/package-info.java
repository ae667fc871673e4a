/** Error messages for the operator and key files, shared by the commands of the program. */
@NullMarked
package gambit.app.operator;

import org.jspecify.annotations.NullMarked;
