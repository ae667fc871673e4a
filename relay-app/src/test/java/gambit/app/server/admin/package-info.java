/** Tests of the methods of management about the running program. */
@NullMarked
package gambit.app.server.admin;

import org.jspecify.annotations.NullMarked;
