package gambit.chess.dialect;

import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.wire.Reason;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The terms of a pending invite, as in {@link Request.Invite}. Immutable.
 *
 * @param expiresAt seconds of Unix time
 */
public record InviteTerms(
    @Nullable PubKey opponent,
    @Nullable Side inviter,
    TimeControl time,
    Position initial,
    int level,
    boolean isRated,
    long expiresAt,
    boolean isUnlisted,
    @Nullable SecretHash secretHash) {
  private static final long OPEN_INVITE_SECONDS = 60;
  private static final long DIRECT_INVITE_SECONDS = 24 * 60 * 60;

  /** The terms of an invite to whose expiration there is no objection; now is in seconds. */
  public static InviteTerms of(Request.Invite invite, TimeControl defaultTime, long now) {
    TimeControl time = invite.time() == null ? defaultTime : invite.time();
    long defaultSeconds = invite.opponent() == null ? OPEN_INVITE_SECONDS : DIRECT_INVITE_SECONDS;
    long expiresAt = invite.expiration().orElse(now, now + defaultSeconds);
    return new InviteTerms(
        invite.opponent(),
        invite.inviter(),
        time,
        invite.initial(),
        invite.level(),
        invite.isRated(),
        expiresAt,
        invite.isUnlisted(),
        invite.opponent() == null ? invite.secretHash() : null);
  }

  /** Why a game with these terms cannot be rated, if it is to be. */
  public Optional<Reason> ratedObjection() {
    if (!isRated) {
      return Optional.empty();
    } else if (!initial.fen().equals(Position.initial().fen())) {
      return Optional.of(Reason.invalid("a rated game begins in the initial position"));
    } else if (time.isUntimed()) {
      return Optional.of(Reason.invalid("a rated game has a time limit"));
    }
    return level == 0 ? Optional.empty() : Optional.of(Reason.invalid("a rated game has no level"));
  }

  /** Whether an acceptance that has a secret, or none, may accept the invite. */
  public boolean isOpenedBy(Optional<String> secret) {
    return secretHash == null || secret.filter(secretHash::isOf).isPresent();
  }

  /** The time in seconds at which a rematch expires, if there is no objection to its tag. */
  public static long rematchExpiresAt(Expiration expiration, long now) {
    return expiration.orElse(now, now + DIRECT_INVITE_SECONDS);
  }

  /**
   * The {@code expiration} tag of an invite, not checked yet; empty if there is none. Times are
   * seconds of Unix time. Immutable.
   */
  public record Expiration(Optional<String> text) {
    private static final long MAX_SECONDS = 30 * 24 * 60 * 60;

    public static Expiration of(Tags tags) {
      return new Expiration(tags.first("expiration"));
    }

    public Optional<Reason> objection(long now) {
      if (text.isEmpty()) {
        return Optional.empty();
      } else if (!text.get().matches("[0-9]{1,12}")) {
        return Optional.of(Reason.invalid("the expiration is not a time in seconds"));
      }
      return Long.parseLong(text.get()) <= now
          ? Optional.of(Reason.invalid("the invite has expired"))
          : Optional.empty();
    }

    /** The time at which an invite expires, if there is no objection to the tag. */
    public long orElse(long now, long otherwise) {
      return text.map(it -> Math.min(Long.parseLong(it), now + MAX_SECONDS)).orElse(otherwise);
    }
  }
}
