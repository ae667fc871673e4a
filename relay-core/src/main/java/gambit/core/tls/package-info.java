/** The certificate of the relay's port and its private key, read from PEM files. */
@NullMarked
package gambit.core.tls;

import org.jspecify.annotations.NullMarked;
