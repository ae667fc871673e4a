package gambit.chess.dialect.nip100;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.DialectReader;
import gambit.chess.dialect.DialectTraits;
import gambit.chess.dialect.DialectTraits.Trait;
import gambit.chess.dialect.DialectWriter;
import gambit.chess.dialect.RelayEvents;

/** The dialect of the NIP-100 draft, kinds 5000–5003, with the extensions of this relay. */
public final class Nip100 implements Dialect {
  public static final int LOBBY = 5000;
  public static final int MOVE = 5001;
  public static final int DRAW = 5002;
  public static final int RESIGN = 5003;

  /** The draft's text gives the frame of a move the number 5002. */
  private static final DialectTraits TRAITS =
      DialectTraits.named(
              "nip100",
              "send connect first",
              "an e tag",
              Trait.SHARES_ITS_KINDS,
              Trait.COUNTS_ILLEGAL_MOVES,
              Trait.CONFIRMS_COLOURS)
          .withTagsMissingIn(Nip100::isKind)
          .withFrames(LOBBY, DRAW);

  private final DialectReader reader;
  private final DialectWriter writer;

  public Nip100(RelayEvents relay) {
    this.reader = new Nip100Reader(this);
    this.writer = new Nip100Writer(relay);
  }

  static boolean isKind(int kind) {
    return kind >= LOBBY && kind <= RESIGN;
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
