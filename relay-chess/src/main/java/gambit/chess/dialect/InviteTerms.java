package gambit.chess.dialect;

import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.PubKey;
import org.jspecify.annotations.Nullable;

/**
 * The terms of a pending invite. Immutable.
 *
 * @param opponent who is invited; null when anybody is
 * @param inviter the side that the inviter wants; null when it is drawn by lot
 * @param expiresAt seconds of Unix time
 */
public record InviteTerms(
    @Nullable PubKey opponent,
    @Nullable Side inviter,
    TimeControl time,
    Position initial,
    long expiresAt) {
  private static final long OPEN_SECONDS = 60;
  private static final long DIRECT_SECONDS = 24 * 60 * 60;

  /**
   * The terms of an invite whose expiration has no objection.
   *
   * @param now seconds of Unix time
   */
  public static InviteTerms of(Request.Invite invite, TimeControl defaultTime, long now) {
    TimeControl time = invite.time() == null ? defaultTime : invite.time();
    long patience = invite.opponent() == null ? OPEN_SECONDS : DIRECT_SECONDS;
    long expiresAt = invite.expiration().orElse(now, now + patience);
    return new InviteTerms(invite.opponent(), invite.inviter(), time, invite.initial(), expiresAt);
  }

  /**
   * When a rematch expires whose expiration has no objection.
   *
   * @param now seconds of Unix time
   */
  public static long endOfRematch(InviteExpiration expiration, long now) {
    return expiration.orElse(now, now + DIRECT_SECONDS);
  }
}
