package gambit.chess.session;

import gambit.chess.rating.Lot;
import gambit.chess.session.play.Lots;
import gambit.core.model.EventId;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * Lots that give the colours that a test wants: each value is chosen after the players' events, and
 * is not that of the chain.
 */
public final class ChosenLots implements Lots.Source {
  /** Whoever has searched or invited first has White. */
  public static final ChosenLots FIRST_IS_WHITE = new ChosenLots(() -> true);

  private final BooleanSupplier isFirstWhite;

  /** Lots that ask for each game whether the first player has White. */
  public ChosenLots(BooleanSupplier isFirstWhite) {
    this.isFirstWhite = isFirstWhite;
  }

  /** Lots by a source of chance, which gives White to the first player by false. */
  public static ChosenLots by(RandomGenerator chance) {
    return new ChosenLots(() -> !chance.nextBoolean());
  }

  @Override
  public byte[] value(byte[] next, EventId first, EventId second) {
    boolean isWanted = isFirstWhite.getAsBoolean();
    byte[] value = next.clone();
    while (Lot.isWhite(value, first, second) != isWanted) {
      value[0]++;
    }
    return value;
  }
}
