package gambit.app.tool.bot;

import static gambit.app.tool.client.RecordingPlayer.of;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.tool.client.CutConnections;
import gambit.app.tool.client.GameCommands.Act;
import gambit.app.tool.client.GameView;
import gambit.app.tool.client.PlayerClient;
import gambit.app.tool.client.PlayerListener;
import gambit.app.tool.client.RelayInfo;
import gambit.chess.dialect.JesterMessage;
import gambit.chess.engine.Level;
import gambit.chess.game.Result;
import gambit.chess.rules.Move;
import gambit.chess.rules.Side;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.jester.JesterLine;
import gambit.chess.session.play.ChessSettings;
import gambit.core.crypto.Signer;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A bot without an engine: the test makes its moves. */
class BotJesterGamesTest {
  private static final Signer BOT = Signer.random();
  private static final PubKey KEY = BOT.pubkey();

  private volatile Duration later = Duration.ZERO;
  private final InstantSource clock = () -> Instant.now().plus(later);
  private final TestRelay relay =
      new TestRelay(
          LimitValues.DEFAULT,
          new MemoryEventStore(64 << 20),
          clock,
          new ChessFeature(ChessSettings.DEFAULT));
  private final Client person = relay.connect();
  private final CutConnections wire = wire();
  private TestBot bot;

  private CutConnections wire() {
    try {
      return new CutConnections(relay.uri().getPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final class TestBot implements PlayerListener, AutoCloseable {
    private final PlayerClient client = new PlayerClient(wire.place(), BOT, this);
    private final BotJesterGames games;
    private final List<GameView> began = new CopyOnWriteArrayList<>();
    private final List<GameView> ended = new CopyOnWriteArrayList<>();
    private volatile GameView last;
    private volatile boolean hasRoom = true;

    TestBot(boolean openStarts) {
      BotSettings settings =
          new BotSettings(List.of(), 1, 20, Duration.ofMillis(20), Level.THREE, openStarts);
      games = new BotJesterGames(client, settings, () -> hasRoom, this, clock);
      of(client.connect());
    }

    @Override
    public void connected(RelayInfo found) {
      games.connected(found.referee());
    }

    @Override
    public void disconnected(String reason, Duration delay) {
      games.disconnected();
    }

    @Override
    public void jesterState(Event state) {
      games.state(state);
    }

    @Override
    public void gameBegan(GameView game) {
      last = game;
      began.add(game);
    }

    @Override
    public void gameChanged(GameView game) {
      last = game;
    }

    @Override
    public void gameEnded(GameView game) {
      last = game;
      ended.add(game);
    }

    /** The game when the bot is to move after a number of plies. */
    GameView awaitTurn(int plies) {
      await().until(() -> last != null && last.isOurTurn() && last.moves().size() == plies);
      return last;
    }

    void move(String uci) {
      int plies = last.moves().size();
      of(games.move(last, Move.parse(uci).orElseThrow(), false));
      await().until(() -> last.moves().size() > plies || !ended.isEmpty());
    }

    GameView awaitEnd() {
      await().until(() -> !ended.isEmpty());
      return ended.get(0);
    }

    @Override
    public void close() {
      client.close();
    }
  }

  @BeforeEach
  void connect() {
    bot = new TestBot(false);
  }

  @AfterEach
  void close() throws IOException {
    bot.close();
    wire.close();
    person.close();
    relay.close();
  }

  private void restart(boolean openStarts) {
    bot.close();
    bot = new TestBot(openStarts);
  }

  private static JesterLine challenge(Signer author, Side side, String... more) {
    List<List<String>> tags = List.of(List.of("p", KEY.hex()), List.of("t", String.join("", more)));
    return JesterLine.start(author, side, Instant.now().getEpochSecond(), tags);
  }

  private static JesterLine openStart(Signer author, Side side) {
    return JesterLine.start(author, side, Instant.now().getEpochSecond(), List.of());
  }

  /** The bot's only move with that number of plies. */
  private Event moveOfBot(JesterLine line, int plies) {
    String filter =
        "{\"kinds\":[30],\"authors\":[\"" + KEY.hex() + "\"],\"#e\":[\"" + line.id() + "\"]}";
    return of(bot.client.query(filter)).stream()
        .filter(
            event ->
                JesterMessage.read(event).orElseThrow() instanceof JesterMessage.Turn turn
                    && turn.plies() == plies)
        .findFirst()
        .orElseThrow();
  }

  /** The PGN of the game's record. */
  private String record(JesterLine line) {
    await().until(() -> person.queryIds(recordOf(line)).size() == 1);
    person.send("[\"REQ\",\"record\"," + recordOf(line) + "]");
    return person.until("EOSE").get(0).at("/2/content").asText();
  }

  private static String recordOf(JesterLine line) {
    return "{\"kinds\":[64],\"#e\":[\"" + line.id() + "\"]}";
  }

  /** A game after 1. e4 e5. */
  private JesterLine begun(Signer alice) {
    JesterLine line = challenge(alice, Side.WHITE);
    person.publishAccepted(line.start());
    person.publishAccepted(line.move(alice, "e2e4"));
    bot.awaitTurn(1);
    bot.move("e7e5");
    return line.after(moveOfBot(line, 2));
  }

  @ParameterizedTest
  @EnumSource(Side.class)
  void challengeIsAcceptedByTheFirstMoveAndTheMateIsRecorded(Side challenger) {
    Signer alice = Signer.random();
    JesterLine line = challenge(alice, challenger);
    person.publishAccepted(line.start());
    List<String> moves = List.of("f2f3", "e7e5", "g2g4", "d8h4");
    for (int ply = 0; ply < moves.size(); ply++) {
      if (ply % 2 == challenger.index()) {
        person.publishAccepted(line.move(alice, moves.get(ply)));
      } else {
        bot.awaitTurn(ply);
        bot.move(moves.get(ply));
        line.after(moveOfBot(line, ply + 1));
      }
    }
    GameView end = bot.awaitEnd();
    assertThat(end.ending().result()).isEqualTo(Result.BLACK_WINS);
    assertThat(end.ending().termination()).isEqualTo("checkmate");
    assertThat(bot.began).hasSize(1);
    assertThat(record(line)).contains("2. g4 Qh4# 0-1");
  }

  @Test
  void challengeInTheFormOfJesteruiIsAcceptedAndMovesNeedNotNameTheBot() {
    Signer alice = Signer.random();
    long now = Instant.now().getEpochSecond();
    String content = "{\"version\":\"0\",\"kind\":0,\"history\":[],\"nonce\":\"1\"}";
    String hash = JesterMessage.Start.hashOf(KEY);
    Event start = alice.sign(now, 30, new Tags(List.of(List.of("e", hash))), content);
    person.publishAccepted(start);
    Event move =
        alice.sign(
            now,
            30,
            new Tags(List.of(List.of("e", start.id().hex()), List.of("e", start.id().hex()))),
            "{\"version\":\"0\",\"kind\":1,\"move\":\"e4\",\"history\":[\"e4\"],"
                + "\"fen\":\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"}");
    person.publishAccepted(move);
    bot.awaitTurn(1);
    bot.move("e7e5");
    assertThat(bot.last.moves()).hasSize(2);
  }

  @Test
  void whatTheRelayHasStoredIsResumedAfterARestart() {
    Signer alice = Signer.random();
    JesterLine line = begun(alice);
    person.publishAccepted(line.move(alice, "g1f3"));
    bot.close();
    JesterLine second = challenge(Signer.random(), Side.BLACK);
    person.publishAccepted(second.start());
    restart(false);
    await().until(() -> bot.began.size() == 2);
    assertThat(bot.began).extracting(view -> view.moves().size()).containsExactlyInAnyOrder(0, 3);
    GameView resumed =
        bot.began.stream().filter(view -> !view.moves().isEmpty()).findFirst().orElseThrow();
    assertThat(resumed.id().hex()).isEqualTo(line.id());
    of(bot.games.act(resumed, Act.RESIGN));
    bot.awaitEnd();
    assertThat(record(line)).contains("2. Nf3 1-0");
    restart(false);
    await().until(() -> bot.began.size() == 1);
    assertThat(bot.began.get(0).id().hex()).isEqualTo(second.id());
    assertThat(bot.games.has(resumed.id())).isFalse();
  }

  @Test
  void gameThatEndsWhileTheBotIsAwayEndsForIt() {
    Signer alice = Signer.random();
    JesterLine line = begun(alice);
    wire.refuse();
    person.publishAccepted(line.end(alice, "0-1", "resignation"));
    record(line);
    wire.cut();
    assertThat(bot.awaitEnd().ending().termination()).isEqualTo("resignation");
  }

  @Test
  void drawIsAgreedAndAnOfferIsAProposalUntilTheNextMove() {
    Signer alice = Signer.random();
    JesterLine line = begun(alice);
    person.publishAccepted(line.move(alice, "g1f3"));
    bot.awaitTurn(3);
    person.publishAccepted(line.end(alice, "1/2-1/2", "draw_agreement"));
    await().until(() -> bot.last.hasProposalOfOpponent());
    of(bot.games.act(bot.last, Act.DECLINE));
    bot.move("b8c6");
    await().until(() -> bot.last.proposal() == null);
    line.after(moveOfBot(line, 4));
    person.publishAccepted(line.end(alice, "1/2-1/2", "draw_agreement"));
    await().until(() -> bot.last.hasProposalOfOpponent());
    of(bot.games.act(bot.last, Act.ACCEPT));
    assertThat(bot.awaitEnd().ending().termination()).isEqualTo("agreement");
  }

  /** The relay takes a move that follows the other one for an event that waits. */
  @Test
  void ofTwoFirstMovesTheOneThatTheRelayHasAcceptedIsFoundInTheEnd() {
    Signer alice = Signer.random();
    JesterLine line = challenge(alice, Side.WHITE);
    JesterLine fork = challenge(alice, Side.WHITE);
    assertThat(fork.id()).isEqualTo(line.id());
    person.publishAccepted(line.move(alice, "e2e4"));
    person.publishAccepted(fork.move(alice, "d2d4")); // both wait for the start
    person.publishAccepted(line.start());
    bot.awaitTurn(1);
    await()
        .atMost(Duration.ofMinutes(2))
        .until(
            () -> {
              GameView view = bot.awaitTurn(1);
              Move move = Move.parse("e7e5").orElseThrow();
              return bot.games.move(view, move, false).handle((ok, failure) -> failure).get()
                  == null;
            });
    await().until(() -> bot.last.moves().size() == 2);
  }

  @Test
  void challengerHasAPartOfTheGamesAndTheNextOneFollowsWhenOneEnds() {
    Signer alice = Signer.random();
    for (int i = 0; i < 5; i++) {
      person.publishAccepted(challenge(alice, Side.BLACK, "" + i).start());
    }
    person.publishAccepted(challenge(Signer.random(), Side.BLACK).start());
    await().until(() -> bot.began.size() == 3);
    GameView first = bot.began.get(0);
    bot.last = first;
    bot.move("e2e4");
    of(bot.games.act(bot.last, Act.RESIGN));
    await().until(() -> bot.began.size() == 4);
    assertThat(bot.began.get(3).terms().black()).isEqualTo(alice.pubkey());
  }

  @Test
  void gameWhoseOpponentIsGoneForADayMakesRoomForAnotherChallenge() {
    JesterLine line = begun(Signer.random());
    bot.hasRoom = false;
    later = Duration.ofHours(25);
    person.publishAccepted(challenge(Signer.random(), Side.BLACK).start());
    assertThat(bot.awaitEnd().ending().termination()).isEqualTo("abandoned");
    assertThat(record(line)).contains("Result \"0-1\"");
  }

  /** The lobby is published by the relay's timer. */
  private void awaitBegun(int games) {
    await()
        .until(
            () -> {
              relay.time().advance(Duration.ofSeconds(1));
              return bot.began.size() == games;
            });
  }

  @Test
  void openStartsAreTakenOnlyIfTheSettingsSaySo() {
    Signer alice = Signer.random();
    JesterLine line = openStart(alice, Side.BLACK);
    person.publishAccepted(line.start());
    JesterLine challenge = challenge(Signer.random(), Side.BLACK);
    person.publishAccepted(challenge.start());
    bot.awaitTurn(0);
    assertThat(bot.began).extracting(view -> view.id().hex()).containsExactly(challenge.id());
    restart(true);
    awaitBegun(2);
    Signer carol = Signer.random();
    JesterLine white = openStart(carol, Side.WHITE);
    person.publishAccepted(white.start());
    person.publishAccepted(white.move(carol, "d2d4"));
    awaitBegun(3);
    GameView taken = bot.awaitTurn(1);
    assertThat(taken.id().hex()).isEqualTo(white.id());
    bot.move("d7d5");
  }
}
