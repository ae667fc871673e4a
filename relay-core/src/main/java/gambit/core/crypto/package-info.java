/**
 * Signatures (BIP-340) by the native secp256k1 library: checking other people's, making our own.
 * The only place that touches the library or a secret key's bytes.
 */
@NullMarked
package gambit.core.crypto;

import org.jspecify.annotations.NullMarked;
