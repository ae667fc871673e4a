package gambit.chess.dialect.ephemeral;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.DialectReader;
import gambit.chess.dialect.DialectTraits;
import gambit.chess.dialect.DialectTraits.Trait;
import gambit.chess.dialect.DialectWriter;
import gambit.chess.dialect.RelayEvents;

/**
 * The dialect of the ephemeral chess server, kinds 20300–20304. Its players receive the state of
 * their game as kind 20302, as spectators do; other notifications are for one player alone.
 */
public final class Ephemeral implements Dialect {
  public static final int PLAY = 20300;
  public static final int ANSWER = 20301;
  public static final int STATE = RelayEvents.STATE_KIND;
  public static final int MOVE = 20303;
  public static final int ERROR = 20304;

  private static final DialectTraits TRAITS =
      DialectTraits.named("ephemeral", "send a 20300 first", "a d tag", Trait.FOLLOWS_STATES);

  private final DialectReader reader;
  private final DialectWriter writer;

  public Ephemeral(RelayEvents relay) {
    this.reader = new EphemeralReader(this, relay.pubkey());
    this.writer = new EphemeralWriter(relay);
  }

  @Override
  public DialectTraits traits() {
    return TRAITS;
  }

  @Override
  public DialectReader reader() {
    return reader;
  }

  @Override
  public DialectWriter writer() {
    return writer;
  }
}
