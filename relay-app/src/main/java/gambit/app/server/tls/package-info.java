/**
 * TLS of the relay's port: its settings, and files of certificates that are read anew. A relay with
 * a domain obtains its certificate from a certificate authority by ACME (RFC 8555), and renews it;
 * nothing of that is loaded without {@code relay.domain}.
 */
@NullMarked
package gambit.app.server.tls;

import org.jspecify.annotations.NullMarked;
