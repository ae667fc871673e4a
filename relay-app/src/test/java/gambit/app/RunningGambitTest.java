package gambit.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gambit.app.common.CommandFailure;
import gambit.app.server.nats.NatsConnection.ClusterUnreachable;
import gambit.core.testkit.ClassLog;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * When the program starts anew in its process, and what ends that; with programs that do nothing.
 */
class RunningGambitTest {
  private static final Duration NO_PAUSE = Duration.ofMillis(1);

  private final Deque<RunningGambit.Starter> starts = new ArrayDeque<>();
  private final FakeProgram first = new FakeProgram();
  private final FakeProgram second = new FakeProgram();
  private final RunningGambit running =
      new RunningGambit(first, () -> starts.remove().start(), NO_PAUSE);

  private static final class FakeProgram implements RunningGambit.Program {
    private final CompletableFuture<String> overtaken = new CompletableFuture<>();
    private volatile boolean isClosed;

    @Override
    public String awaitOvertaken() {
      return overtaken.join();
    }

    @Override
    public String readiness() {
      return "listens";
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }

  private CompletableFuture<Boolean> startsAnew() {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return running.startAnewWhenOvertaken();
          } catch (CommandFailure e) {
            throw new AssertionError(e);
          }
        });
  }

  private static CommandFailure unreachable() {
    return new ClusterUnreachable("NATS cannot be reached");
  }

  @Test
  void aProgramThatWasOvertakenIsClosedBeforeTheNextStarts() throws Exception {
    starts.add(
        () -> {
          assertThat(first.isClosed).isTrue();
          return second;
        });
    first.overtaken.complete("another node leads");
    assertThat(running.startAnewWhenOvertaken()).isTrue();
    running.close();
    assertThat(second.isClosed).isTrue();
  }

  @Test
  void whileNatsCannotBeReachedTheStartIsTriedAgain() throws Exception {
    for (int i = 0; i < 3; i++) {
      starts.add(
          () -> {
            throw unreachable();
          });
    }
    starts.add(() -> second);
    first.overtaken.complete("another node leads");
    try (ClassLog log = new ClassLog(RunningGambit.class)) {
      assertThat(running.startAnewWhenOvertaken()).isTrue();
      assertThat(log.messages())
          .hasSize(4)
          .contains("The relay cannot start anew yet, and tries again: NATS cannot be reached");
    }
    assertThat(starts).isEmpty();
  }

  @Test
  void anotherFailureOfTheStartIsThatOfTheProgram() {
    starts.add(
        () -> {
          throw new CommandFailure("--data: there is no relay.key.");
        });
    first.overtaken.complete("another node leads");
    try (ClassLog log = new ClassLog(RunningGambit.class)) {
      assertThatThrownBy(running::startAnewWhenOvertaken)
          .isInstanceOf(CommandFailure.class)
          .hasMessage("--data: there is no relay.key.");
      assertThat(log.messages())
          .isEqualTo(
              List.of(
                  "The relay starts anew as a follower of its cluster: another node leads",
                  "The relay cannot be started anew, and ends: --data: there is no relay.key."));
    }
    running.close(); // has nothing to close
  }

  @Test
  void closingInterruptsAStartThatWaits() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    starts.add(
        () -> {
          begun.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          throw new CommandFailure("cluster.servers: the start was interrupted.");
        });
    first.overtaken.complete("another node leads");
    CompletableFuture<Boolean> result = startsAnew();
    begun.await();
    running.close();
    assertThat(result.join()).isFalse();
  }

  @Test
  void closingEndsThePauseBetweenAttempts() {
    RunningGambit patient =
        new RunningGambit(
            first,
            () -> {
              throw unreachable();
            },
            Duration.ofHours(1));
    first.overtaken.complete("another node leads");
    try (ClassLog log = new ClassLog(RunningGambit.class)) {
      CompletableFuture<Boolean> result =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return patient.startAnewWhenOvertaken();
                } catch (CommandFailure e) {
                  throw new AssertionError(e);
                }
              });
      await().until(() -> log.messages().size() == 2);
      patient.close();
      assertThat(result.join()).isFalse();
    }
  }

  @Test
  void aProgramThatHasStartedAfterTheCloseIsClosed() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    starts.add(
        () -> {
          begun.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return second;
        });
    first.overtaken.complete("another node leads");
    CompletableFuture<Boolean> result = startsAnew();
    begun.await();
    running.close();
    assertThat(result.join()).isFalse();
    assertThat(second.isClosed).isTrue();
  }

  @Test
  void aProgramThatIsClosedIsNotStartedAnew() throws Exception {
    running.close();
    assertThat(first.isClosed).isTrue();
    assertThat(running.startAnewWhenOvertaken()).isFalse();
  }
}
