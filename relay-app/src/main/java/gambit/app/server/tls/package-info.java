/** TLS of the relay's port: its settings, and files of certificates that are read anew. */
@NullMarked
package gambit.app.server.tls;

import org.jspecify.annotations.NullMarked;
