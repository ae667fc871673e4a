/**
 * Signs and verifies with the native secp256k1 library (BIP-340). No other package uses the library
 * or the bytes of a secret key.
 */
@NullMarked
package gambit.core.crypto;

import org.jspecify.annotations.NullMarked;
