package gambit.core.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class SharedBudgetTest {
  private final SharedBudget budget = new SharedBudget(120);

  private int fill(Set<?> owners) {
    int reserved = 0;
    while (budget.reserve(owners, 1)) {
      reserved++;
    }
    return reserved;
  }

  @Test
  void ownerHoldsNoMoreThanIsFreeSoThatOthersAlwaysFindRoom() {
    assertThat(fill(Set.of("greedy"))).isEqualTo(60);
    for (int i = 0; i < 20; i++) {
      assertThat(budget.reserve(Set.of("modest " + i), 1)).isTrue();
    }
    assertThat(fill(Set.of("second"))).as("as much as is free then").isEqualTo(20);
    assertThat(fill(Set.of())).as("the rest, without owners").isEqualTo(20);
    assertThat(budget.reserve(Set.of("modest 21"), 1)).isFalse();
    assertThat(budget.used()).isEqualTo(120);
  }

  @Test
  void eachOwnerOfAnAmountMustHaveAShareLeft() {
    assertThat(fill(Set.of("address 1", "key"))).isEqualTo(60);
    assertThat(budget.reserve(Set.of("address 2", "key"), 1)).isFalse();
    assertThat(budget.reserve(Set.of("address 1", "other key"), 1)).isFalse();
    assertThat(budget.held("other key")).as("a refusal changes nothing").isZero();
    assertThat(budget.reserve(Set.of("address 2", "other key"), 1)).isTrue();
    budget.release(Set.of("address 1", "key"), 60);
    assertThat(budget.held("key")).isZero();
    assertThat(budget.reserve(Set.of("address 2", "key"), 1)).isTrue();
  }

  @Test
  void firstAmountOfAnOwnerNeedOnlyFit() {
    assertThat(budget.reserve(Set.of("one"), 100)).isTrue();
    assertThat(budget.reserve(Set.of("one"), 1)).isFalse();
    assertThat(budget.reserve(Set.of("two"), 20)).isTrue();
    assertThat(budget.reserve(Set.of("three"), 1)).isFalse();
  }
}
