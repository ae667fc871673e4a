/**
 * The port: Netty's event loops and pipeline, HTTP (NIP-11, the handshake, 404), WebSocket frames ↔
 * a connection (RFC 6455), and outboxes. The only package that uses Netty.
 */
@NullMarked
package gambit.core.net;

import org.jspecify.annotations.NullMarked;
