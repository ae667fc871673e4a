/**
 * The certificate that a relay with a domain obtains from a certificate authority by ACME (RFC
 * 8555), and renews. Nothing of this package is loaded without {@code relay.domain}.
 */
@NullMarked
package gambit.app.server.tls.acme;

import org.jspecify.annotations.NullMarked;
