/**
 * The port: Netty's bootstrap, HTTP around it (NIP-11, upgrade, 404) and WebSocket frames ↔ a
 * connection (RFC 6455). The only package that knows Netty.
 */
@NullMarked
package gambit.core.net;

import org.jspecify.annotations.NullMarked;
