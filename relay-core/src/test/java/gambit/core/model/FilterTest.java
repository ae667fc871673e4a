package gambit.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.testkit.Keys;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FilterTest {
  private static final Signer ALICE = Keys.of("alice");
  private final Event event =
      ALICE.sign(
          100,
          1,
          new Tags(
              List.of(
                  List.of("t", "chess", "go"),
                  List.of("e"),
                  List.of("tt", "x"),
                  List.of("T", "Up"))),
          "");

  @Test
  void filterMatchesWhenAllItsConditionsHold() {
    assertThat(filter(null, null, null, null, null).matches(event)).isTrue();
    assertThat(filter(Set.of(event.id()), null, null, 100L, 100L).matches(event)).isTrue();
    assertThat(filter(Set.of(), null, null, null, null).matches(event)).isFalse();
    assertThat(filter(null, Set.of(ALICE.pubkey()), Set.of(0, 1), null, null).matches(event))
        .isTrue();
    assertThat(filter(null, Set.of(ALICE.pubkey()), Set.of(0), null, null).matches(event))
        .isFalse();
    assertThat(filter(null, Set.of(Keys.of("bob").pubkey()), null, null, null).matches(event))
        .isFalse();
    assertThat(filter(null, null, null, 101L, null).matches(event)).isFalse();
    assertThat(filter(null, null, null, null, 99L).matches(event)).isFalse();
  }

  @Test
  void tagConditionComparesTheFirstValueAndTheCaseOfTheLetter() {
    assertThat(tag('t', "chess").matches(event)).isTrue();
    assertThat(tag('t', "go").matches(event)).isFalse();
    assertThat(tag('t', "x").matches(event)).isFalse();
    assertThat(tag('T', "chess").matches(event)).isFalse();
    assertThat(tag('T', "Up").matches(event)).isTrue();
    assertThat(tag('e', "").matches(event)).isFalse();
  }

  private static Filter tag(char letter, String value) {
    return new Filter(null, null, null, Map.of(letter, Set.of(value)), null, null, null);
  }

  private static Filter filter(
      Set<EventId> ids, Set<PubKey> authors, Set<Integer> kinds, Long since, Long until) {
    return new Filter(ids, authors, kinds, Map.of(), since, until, 0L);
  }
}
