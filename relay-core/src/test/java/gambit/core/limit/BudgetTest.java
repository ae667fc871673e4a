package gambit.core.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BudgetTest {
  @Test
  void reservationThatDoesNotFitChangesNothing() {
    Budget budget = new Budget(10);
    assertThat(budget.reserve(6)).isTrue();
    assertThat(budget.reserve(5)).isFalse();
    assertThat(budget.used()).isEqualTo(6);
    assertThat(budget.reserve(4)).isTrue();
    budget.release(10);
    assertThat(budget.used()).isZero();
  }
}
