package gambit.app.tool.play;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gambit.app.LocalRelay;
import gambit.app.tool.client.GameView;
import gambit.app.tool.client.PlayerClient;
import gambit.app.tool.client.PlayerClient.InviteOptions;
import gambit.app.tool.client.PlayerListener;
import gambit.app.tool.play.GamePainter.Palette;
import gambit.app.tool.play.PlayCommand.InputHandler;
import gambit.app.tool.play.PlaySession.PlayOptions;
import gambit.chess.game.TimeControl;
import gambit.core.crypto.Signer;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jline.utils.AttributedString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A session on a relay in this process, with a screen that is a list. */
class PlaySessionTest {
  private static final long TIMEOUT_SECONDS = 120;

  /** Remembers messages, and can fail to draw. */
  private static final class ListScreen implements Screen {
    private final List<String> messages = new CopyOnWriteArrayList<>();
    private final AtomicInteger drawn = new AtomicInteger();
    private volatile boolean isBroken;

    private volatile String status = "";

    @Override
    public void show(List<AttributedString> picture) {
      status = picture.get(picture.size() - 1).toString();
      if (isBroken) {
        throw new IllegalStateException("this screen is broken");
      }
      drawn.incrementAndGet();
    }

    @Override
    public void message(String text) {
      messages.add(text);
    }

    void await(String... texts) {
      org.awaitility.Awaitility.await()
          .until(
              () ->
                  messages.stream()
                      .anyMatch(each -> List.of(texts).stream().allMatch(each::contains)));
    }

    @Override
    public String readLine() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int columns() {
      return 80;
    }

    @Override
    public void close() {}
  }

  @TempDir private Path data;
  private final Signer key = Signer.random();
  private final ListScreen screen = new ListScreen();
  private final AtomicReference<@Nullable GameView> shown = new AtomicReference<>();

  /** The wish to play the house player, which this relay does not have, is a session that waits. */
  private final PlaySession session =
      new PlaySession(
          new PlayOptions(0, null, null, null, null, null),
          screen,
          new Palette(false, false, false),
          shown);

  private final InputHandler input = new InputHandler(session);
  private LocalRelay relay;
  private PlayerClient ours;
  private PlayerClient friend;
  private PlayerClient stranger;

  @BeforeEach
  void start() throws Exception {
    relay = new LocalRelay(data, 0);
    ours = new PlayerClient(relay.uri(), key, session);
    session.start(ours, true).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    friend = player();
    stranger = player();
  }

  @AfterEach
  void stop() {
    List.of(ours, friend, stranger).forEach(PlayerClient::close);
    relay.close();
  }

  private PlayerClient player() throws Exception {
    PlayerClient player = new PlayerClient(relay.uri(), Signer.random(), new PlayerListener() {});
    player.connect().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    return player;
  }

  private void invite(PlayerClient from, String time) throws Exception {
    from.invite(new InviteOptions(key.pubkey(), TimeControl.parse(time).orElseThrow(), null, 0))
        .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  private void enter(String line) throws Exception {
    session.call(() -> input.handle(line)).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  private void awaitGameWith(PlayerClient opponent) {
    await().until(() -> shown.get() != null);
    GameView game = shown.get();
    List<PubKey> players = List.of(game.terms().white(), game.terms().black());
    assertThat(players).containsExactlyInAnyOrder(key.pubkey(), opponent.pubkey());
  }

  @Test
  void acceptGoesToTheInviteThatWasAskedAboutAlthoughAnotherCameMeanwhile() throws Exception {
    String name = Wording.player(friend.pubkey());
    invite(friend, "300+3");
    screen.await(name + " invites you to a game, 300+3: accept or decline.");
    invite(stranger, "60");
    screen.await(
        Wording.player(stranger.pubkey()) + " invites you to a game, 60.",
        "First accept or decline the one of " + name + ".");
    enter("accept");
    screen.await("You accept the invite of " + name + ".");
    awaitGameWith(friend);
  }

  @Test
  void afterAnInviteIsDeclinedTheNextOneIsAskedAbout() throws Exception {
    invite(friend, "300+3");
    screen.await("300+3: accept or decline.");
    invite(stranger, "60");
    screen.await("First accept or decline");
    enter("decline");
    screen.await("You decline the invite of " + Wording.player(friend.pubkey()) + ".");
    screen.await(Wording.player(stranger.pubkey()) + " invites you to a game, 60: accept");
    enter("accept");
    awaitGameWith(stranger);
  }

  @Test
  void anInviteThatCannotBeAcceptedAnyMoreMakesRoomForTheNextOne() throws Exception {
    invite(friend, "300+3");
    screen.await("300+3: accept or decline.");
    invite(stranger, "60");
    screen.await("First accept or decline");
    await().until(() -> friend.query("{\"kinds\":[5000]}").get().size() == 2);
    var pending =
        friend.query("{\"kinds\":[5000],\"authors\":[\"" + friend.pubkey() + "\"]}").get();
    Tags withdrawn = new Tags(List.of(List.of("e", pending.get(0).id().hex())));
    friend.publish(5000, withdrawn, "reject").get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    enter("accept");
    screen.await("Refused:");
    screen.await(Wording.player(stranger.pubkey()) + " invites you to a game, 60: accept");
  }

  @Test
  void afterARefusalThePlayerIsNotSaidToWait() throws Exception {
    PlayOptions options = new PlayOptions(null, null, null, new EventId(new byte[32]), null, null);
    ListScreen own = new ListScreen();
    PlaySession watching = new PlaySession(options, own, new Palette(false, false, false), shown);
    try (PlayerClient client = new PlayerClient(relay.uri(), Signer.random(), watching)) {
      watching.start(client, false).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      own.await("Refused: invalid: the relay knows no such game");
      assertThat(own.status).isEqualTo("Type search to find an opponent, or quit.");
    }
  }

  @Test
  void thePictureIsDrawnAgainAfterTheScreenHasFailed() throws Exception {
    screen.isBroken = true;
    enter("help");
    screen.isBroken = false;
    int before = screen.drawn.get();
    await().until(() -> screen.drawn.get() > before + 1);
  }

  @Test
  void aFailureInATaskReachesTheThreadThatWaitsForItsResult() {
    assertThatThrownBy(
            () ->
                session
                    .call(
                        () -> {
                          throw new IllegalArgumentException("a defect");
                        })
                    .get(TIMEOUT_SECONDS, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("a defect");
  }

  @Test
  void slowGamesAreShownOneAfterTheOther() throws Exception {
    invite(friend, "1/86400");
    screen.await("accept or decline.");
    enter("accept");
    awaitGameWith(friend);
    invite(stranger, "-");
    screen.await(Wording.player(stranger.pubkey()) + " invites you to a game");
    enter("accept");
    screen.await("Another game of yours runs. Type next to see it.");
    awaitGameWith(friend);
    enter("next");
    awaitGameWith(stranger);
    enter("next");
    awaitGameWith(friend);
    enter("search");
    enter("quit");
    screen.await("Your game goes on without you");
    assertThat(screen.messages).doesNotContain("You are playing.");
  }

  @Test
  void thePlayerIsToldTheRelaysTimeToReturn() throws Exception {
    invite(friend, "300+3");
    screen.await("accept or decline.");
    enter("accept");
    awaitGameWith(friend);
    enter("quit");
    screen.await("you lose it unless you come back within 1 minute");
  }
}
