/**
 * Management of a running relay: bans and other decisions that admins make over HTTP (NIP-86, with
 * the logins of NIP-98) or the operator with commands, their audit log, and the queue of reports
 * (NIP-56). {@code Management} is the feature; the lane {@code management} owns what changes.
 */
@NullMarked
package gambit.core.management;

import org.jspecify.annotations.NullMarked;
