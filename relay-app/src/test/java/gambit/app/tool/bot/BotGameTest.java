package gambit.app.tool.bot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.tool.bot.MoveChooser.Choice;
import gambit.app.tool.bot.MoveChooser.MoveRequest;
import gambit.app.tool.client.Backoff;
import gambit.app.tool.client.GameTerms;
import gambit.app.tool.client.GameView;
import gambit.app.tool.client.GameView.GameEnding;
import gambit.app.tool.client.PlayerClient;
import gambit.app.tool.client.PlayerListener;
import gambit.chess.engine.Level;
import gambit.chess.game.Result;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.crypto.Signer;
import gambit.core.model.EventId;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Games of a client that never connects: no event is answered before the client is closed. */
class BotGameTest {
  private static final EventId GAME = EventId.ofHex("a".repeat(64));

  private final Signer key = Signer.random();
  private final PlayerClient client =
      new PlayerClient(URI.create("ws://127.0.0.1:1"), key, new PlayerListener() {});
  private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
  private final AtomicInteger failures = new AtomicInteger();
  private final CountDownLatch release = new CountDownLatch(1);
  private final Thinking thinking = new Thinking(1, 2, Chooser::new);

  /** Plays like the engine of this program, after as many failures as the test wants. */
  private final class Chooser implements MoveChooser {
    private final MoveChooser.OwnEngine own = new MoveChooser.OwnEngine(new Random(1), () -> false);

    @Override
    public Choice choose(MoveRequest request) {
      asked.add(request.position().fen());
      if (failures.getAndDecrement() > 0) {
        throw new IllegalStateException("a bug");
      }
      return own.choose(request);
    }

    @Override
    public void close() {}
  }

  @AfterEach
  void close() {
    release.countDown();
    thinking.close();
    client.close();
  }

  private GameView view(@Nullable GameEnding ending, String... moves) {
    List<Move> played = new ArrayList<>();
    Position position = Position.initial();
    for (String uci : moves) {
      Move move = Move.parse(uci).orElseThrow();
      played.add(move);
      position = position.play(move).orElseThrow();
    }
    GameTerms terms =
        new GameTerms(
            GAME,
            Signer.random().pubkey(),
            key.pubkey(),
            Side.BLACK,
            TimeControl.parse("300+3").orElseThrow(),
            Position.initial(),
            0,
            0);
    return new GameView(terms, position, played, true, null, null, null, ending);
  }

  private BotGame game() {
    Bot.Observer observer = new Bot.Observer() {};
    return new BotGame(
        client,
        thinking,
        Duration.ofMillis(20),
        Level.FIVE, // the others know the answer to a first move
        observer,
        new Bot.LimitedRefusals(observer, System::nanoTime),
        new Backoff(Duration.ofMillis(2), Duration.ofMillis(2)),
        view(null));
  }

  /** Keeps the thinking thread busy until the test releases it. */
  private void occupyThread() throws InterruptedException {
    CountDownLatch isBusy = new CountDownLatch(1);
    thinking.submit(
        Duration.ZERO,
        chooser -> {
          isBusy.countDown();
          try {
            release.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    assertThat(isBusy.await(2, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void aGameHasOneTaskHoweverOftenItsPositionChangesAndThinksAboutTheLastOne() throws Exception {
    occupyThread();
    BotGame game = game();
    for (int i = 0; i < 20; i++) {
      game.update(view(null, "e2e4"));
      game.update(view(null)); // a takeback
      game.update(view(null, "d2d4"));
      game.thinkAgain();
    }
    assertThat(thinking.sharing()).isEqualTo(2);
    release.countDown();
    assertThat(asked.poll(2, TimeUnit.MINUTES)).isEqualTo(view(null, "d2d4").position().fen());
    CountDownLatch isIdle = new CountDownLatch(1);
    thinking.submit(Duration.ofDays(1), chooser -> isIdle.countDown());
    assertThat(isIdle.await(2, TimeUnit.MINUTES)).isTrue();
    assertThat(asked).isEmpty();
  }

  @Test
  void anEndedGameIsNotThoughtAboutAgain() throws Exception {
    occupyThread();
    BotGame game = game();
    game.update(view(new GameEnding(Result.BLACK_WINS, "resignation", null), "e2e4"));
    game.thinkAgain();
    assertThat(thinking.sharing()).isEqualTo(1);
    assertThat(game.current().isRunning()).isFalse();
  }

  @Test
  void aPositionIsThoughtAboutAgainAfterEveryFailureWhileTheGameRuns() throws Exception {
    failures.set(30);
    BotGame game = game();
    game.update(view(null, "e2e4"));
    String fen = view(null, "e2e4").position().fen();
    await().until(() -> List.copyOf(asked).equals(Collections.nCopies(31, fen)));
  }
}
