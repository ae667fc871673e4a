/**
 * Signs, verifies (BIP-340) and encrypts (NIP-44) with the native secp256k1 library and the JDK. No
 * other package uses the library or the bytes of a secret key.
 */
@NullMarked
package gambit.core.crypto;

import org.jspecify.annotations.NullMarked;
