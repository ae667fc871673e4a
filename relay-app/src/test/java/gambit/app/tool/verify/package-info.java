/** Games checked over real sockets: of honest relays, of lying ones, and of hostile ones. */
@NullMarked
package gambit.app.tool.verify;

import org.jspecify.annotations.NullMarked;
