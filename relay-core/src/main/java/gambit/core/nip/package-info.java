/**
 * What is not in NIP-01 and can be told apart: one file for each further NIP or standard policy.
 * The relay works without any of them.
 */
@NullMarked
package gambit.core.nip;

import org.jspecify.annotations.NullMarked;
