package gambit.chess.session.lobby;

import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.wire.Reason;
import java.util.Optional;

/** The limits of pending invites: by one author, from one address, and of all together. */
public final class InviteLimits {
  public static final int MAX_BY_AUTHOR = 10;
  public static final int MAX_FROM_ADDRESS = 500;
  public static final int MAX_PENDING = 20_000;

  private InviteLimits() {}

  /** The reason why an author at an address may not make a further invite, if there is one. */
  static Optional<Reason> objection(PendingInvites pending, PubKey author, ClientAddress address) {
    if (pending.countBy(author) >= MAX_BY_AUTHOR) {
      return Optional.of(Reason.invalid("more than " + MAX_BY_AUTHOR + " invites are pending"));
    } else if (pending.countFrom(address) >= MAX_FROM_ADDRESS) {
      return Optional.of(Reason.rateLimited("too many invites from your address, try again"));
    } else if (pending.size() >= MAX_PENDING) {
      return Optional.of(Reason.rateLimited("too many invites, try again"));
    }
    return Optional.empty();
  }
}
