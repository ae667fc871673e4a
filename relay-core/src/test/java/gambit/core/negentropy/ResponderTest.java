package gambit.core.negentropy;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.EventId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ResponderTest {
  private static final int MAX_ANSWER_BYTES = 60_000;

  /** Items that can be removed, and the most that were read at once. */
  private static final class ChangingSet implements ItemSet {
    private final List<Position> items = new ArrayList<>();
    private int mostAtOnce;

    ChangingSet(int count) {
      Random random = new Random(count);
      for (int i = 0; i < count; i++) {
        byte[] id = new byte[32];
        random.nextBytes(id);
        items.add(new Position(1000 + i / 7, new EventId(id)));
      }
      items.sort(null);
    }

    private ItemSet now() {
      return ListItemSet.of(items);
    }

    @Override
    public IdSum sum(Position from, Position to) {
      return now().sum(from, to);
    }

    @Override
    public List<Position> items(Position from, Position to, int max) {
      mostAtOnce = Math.max(mostAtOnce, max);
      return now().items(from, to, max);
    }

    @Override
    public List<Part> split(Position from, Position to, int parts) {
      return now().split(from, to, parts);
    }
  }

  private static byte[] requestOfAll() {
    MessageWriter request = new MessageWriter();
    request.ids(Position.INFINITY, List.of());
    return request.message();
  }

  private static List<EventId> idsOf(byte[] answer) throws NegentropyException {
    RangeReader reader = new RangeReader(answer);
    return ((Range.WithIds) reader.next()).ids();
  }

  @Test
  void theIdsOfARangeAreReadAFewInEachStep() throws Exception {
    ChangingSet set = new ChangingSet(1000);
    Responder responder = new Responder(set, requestOfAll(), MAX_ANSWER_BYTES);
    int steps = 1;
    while (!responder.advance(1)) {
      steps++;
    }
    assertThat(steps).isEqualTo(1000 / 32 + 1);
    assertThat(set.mostAtOnce).isEqualTo(33);
    assertThat(idsOf(responder.answer()))
        .containsExactlyElementsOf(set.items.stream().map(Position::id).toList());
  }

  @Test
  void itemsThatAreRemovedBetweenTheStepsHideNoOthers() throws Exception {
    ChangingSet set = new ChangingSet(100);
    List<EventId> all = set.items.stream().map(Position::id).toList();
    Responder responder = new Responder(set, requestOfAll(), MAX_ANSWER_BYTES);
    assertThat(responder.advance(1)).isFalse();
    set.items.remove(31); // the last one that was read
    set.items.remove(50);
    while (!responder.advance(1)) {
      assertThat(set.mostAtOnce).isEqualTo(33);
    }
    List<EventId> expected = new ArrayList<>(all);
    expected.remove(51);
    assertThat(idsOf(responder.answer())).containsExactlyElementsOf(expected);
  }
}
