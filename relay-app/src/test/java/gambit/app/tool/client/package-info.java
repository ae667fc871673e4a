/** Tests of the clients' shared code, with relays in this process. */
@NullMarked
package gambit.app.tool.client;

import org.jspecify.annotations.NullMarked;
