/** Tests of certificates by ACME. */
@NullMarked
package gambit.app.server.tls.acme;

import org.jspecify.annotations.NullMarked;
