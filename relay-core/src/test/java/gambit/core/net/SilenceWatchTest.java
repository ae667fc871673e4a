package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Silent clients by a clock that the test moves. */
class SilenceWatchTest {
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final SilenceWatch watch = new SilenceWatch(channel.eventLoop());
  private final List<String> reports = new ArrayList<>();
  private int silentSeconds = 16;
  private int timersSet;

  private final class Client extends SilenceWatch.Watched {
    private final String name;
    private boolean endsWhenSilent;

    Client(String name) {
      this.name = name;
      watch.add(this);
    }

    @Override
    int silentSeconds() {
      timersSet++; // this is asked once for each
      return silentSeconds;
    }

    @Override
    void silent(boolean isFirst) {
      reports.add(isFirst ? name : name + " again");
      if (endsWhenSilent) {
        watch.remove(this);
      }
    }
  }

  SilenceWatchTest() {
    channel.freezeTime();
  }

  @Test
  void silentClientIsReportedAfterTheTimeAndAgainAfterTheSameTime() {
    new Client("a");
    pass(16);
    assertThat(reports).isEmpty();
    pass(1);
    assertThat(reports).containsExactly("a");
    pass(15);
    assertThat(reports).hasSize(1);
    pass(1);
    assertThat(reports).containsExactly("a", "a again");
  }

  @Test
  void clientThatIsHeardIsNotReportedUntilItIsSilentForTheWholeTime() {
    Client heard = new Client("heard");
    new Client("silent");
    pass(10);
    heard.heard();
    pass(16);
    assertThat(reports).containsExactly("silent");
    pass(1);
    assertThat(reports).containsExactly("silent", "heard");
    heard.heard();
    pass(17);
    assertThat(reports).endsWith("silent again", "heard");
  }

  @Test
  void manyChannelsHaveOneTimerAndNoneIsLeftAfterTheLast() {
    List<Client> clients = IntStream.range(0, 100).mapToObj(i -> new Client("" + i)).toList();
    assertThat(timersSet).isEqualTo(1);
    watch.remove(clients.get(0));
    watch.remove(clients.get(99));
    clients.get(50).endsWhenSilent = true;
    pass(17);
    assertThat(reports).hasSize(98).doesNotHaveDuplicates().doesNotContain("0", "99");
    pass(16);
    assertThat(reports).hasSize(98 + 97).doesNotContain("50 again");
    assertThat(timersSet).isEqualTo(1 + 33);
    IntStream.range(1, 99).filter(i -> i != 50).forEach(i -> watch.remove(clients.get(i)));
    assertThat(hasTimer()).isFalse();
  }

  @Test
  void changedTimeBeginsAnewForAllChannels() {
    new Client("a");
    pass(15);
    silentSeconds = 2;
    watch.restart();
    pass(2);
    assertThat(reports).isEmpty();
    pass(1);
    assertThat(reports).containsExactly("a");
  }

  private boolean hasTimer() {
    return channel.runScheduledPendingTasks() != -1;
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds * 16; i++) {
      channel.advanceTimeBy(1000 / 16 + 1, TimeUnit.MILLISECONDS);
      channel.runScheduledPendingTasks();
    }
  }
}
