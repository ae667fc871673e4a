@NullMarked
package gambit.app.server.tls;

import org.jspecify.annotations.NullMarked;
