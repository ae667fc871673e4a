/**
 * Error messages for the operator, and files that are written as a whole or hold a key, shared by
 * the commands of the program.
 */
@NullMarked
package gambit.app.operator;

import org.jspecify.annotations.NullMarked;
