package gambit.chess.simulation;

import static gambit.chess.simulation.InvariantChecker.check;

import gambit.chess.dialect.RefereeEvents;
import gambit.chess.rating.Lot;
import gambit.core.feature.Commit;
import gambit.core.model.Event;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks that the lots of committed games follow each other without a gap, each chain published in
 * an earlier commit.
 */
final class LotChecker {
  private final Set<String> published = new HashSet<>();
  private int chain = 1;
  private int position;

  void committed(Commit commit) {
    for (Event event : commit.events()) {
      if (RefereeEvents.isFirstOfGame(event)) {
        event.tags().named(Lot.TAG).forEach(tag -> drawn(tag, event));
      }
    }
    for (Event event : commit.events()) {
      if (event.kind() == RefereeEvents.LOTS_KIND) {
        published.add(event.tags().first("d").orElseThrow());
      }
    }
  }

  private void drawn(List<String> tag, Event event) {
    boolean isSpent = position == SimulatedRelay.CHAIN_LENGTH;
    chain += isSpent ? 1 : 0;
    position = isSpent ? 1 : position + 1;
    Lot lot = Lot.parse(tag).orElseThrow();
    boolean isLast = position == SimulatedRelay.CHAIN_LENGTH;
    check(
        lot.chain() == chain
            && lot.position() == position
            && lot.isFollowed()
            && published.contains("" + (isLast ? chain + 1 : chain)),
        Invariant.LOTS_WITHOUT_GAP,
        () -> "not lot " + position + " of chain " + chain + ": " + event);
  }
}
