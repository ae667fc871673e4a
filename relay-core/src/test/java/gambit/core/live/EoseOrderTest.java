package gambit.core.live;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.Event;
import gambit.core.wire.RelayMessage;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class EoseOrderTest {
  private static final Predicate<Event> NONE = event -> false;

  private final EoseOrder order = new EoseOrder(100);
  private final List<String> live = new ArrayList<>();

  @Test
  void watermarkIsTheOffsetReleasedLast() {
    assertThat(order.watermark()).isEqualTo(100);
    order.released(250);
    assertThat(order.watermark()).isEqualTo(250);
  }

  @Test
  void subscriptionGoesLiveAtOnceIfEverythingThatItsPagesSawIsReleased() {
    caughtUp("a", 100);
    assertThat(live).containsExactly("a");
  }

  @Test
  void subscriptionWhosePagesSawALaterCommitGoesLiveWhenThatIsReleased() {
    caughtUp("late", 300);
    caughtUp("later", 400);
    order.released(299);
    assertThat(live).isEmpty();
    order.released(300);
    assertThat(live).containsExactly("late");
    order.released(500);
    order.released(600);
    assertThat(live).containsExactly("late", "later");
  }

  private void caughtUp(String name, long upTo) {
    Subscriber subscriber =
        (Subscriber)
            Proxy.newProxyInstance(
                EoseOrderTest.class.getClassLoader(),
                new Class<?>[] {Subscriber.class},
                (self, method, arguments) -> {
                  assertThat(method.getName()).isEqualTo("goLive");
                  live.add(name);
                  return null;
                });
    order.caughtUp(subscriber, upTo, new RelayMessage.EndOfStored(name, null), NONE);
  }
}
