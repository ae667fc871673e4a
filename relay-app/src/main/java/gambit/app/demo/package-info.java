/**
 * Two clients that play a game against any relay with a NIP-100 referee, to show that it works.
 * They know only the protocol: nothing here may reach into the relay.
 */
@NullMarked
package gambit.app.demo;

import org.jspecify.annotations.NullMarked;
