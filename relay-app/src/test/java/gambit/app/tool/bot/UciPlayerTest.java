package gambit.app.tool.bot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gambit.app.tool.bot.MoveChooser.Choice;
import gambit.app.tool.bot.MoveChooser.Choice.Source;
import gambit.app.tool.bot.MoveChooser.MoveRequest;
import gambit.app.tool.bot.TestUciEngine.Behaviour;
import gambit.app.tool.bot.UciEngine.UciProcess;
import gambit.app.tool.bot.UciEngine.UciProcess.EngineFailure;
import gambit.chess.engine.Level;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.core.model.EventId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** UCI engines in real processes, correct and hostile ones. */
class UciPlayerTest {
  private static final EventId GAME = EventId.ofHex("a".repeat(64));
  private static final Path STOCKFISH = Path.of("/usr/games/stockfish");

  /** So long that a slow machine does not exceed it where an answer is expected. */
  private static final Duration LONG = Duration.ofSeconds(60);

  private static final Duration SHORT = Duration.ofMillis(200);

  private final AtomicLong nanoTime = new AtomicLong();
  private final List<UciPlayer> players = new ArrayList<>();

  @AfterEach
  void closePlayers() {
    players.forEach(UciPlayer::close);
  }

  private UciPlayer player(Behaviour behaviour) {
    return player(TestUciEngine.command(behaviour), LONG);
  }

  private UciPlayer player(List<String> command, Duration timeout) {
    UciPlayer player =
        new UciPlayer(
            command, timeout, new MoveChooser.OwnEngine(new Random(1), () -> false), nanoTime::get);
    players.add(player);
    return player;
  }

  private static MoveRequest request(Duration patience, String... moves) {
    return request(Level.ONE, patience, moves);
  }

  private static MoveRequest request(Level level, Duration patience, String... moves) {
    return request(level, Duration.ofMillis(20), patience, moves);
  }

  private static MoveRequest request(
      Level level, Duration time, Duration patience, String... moves) {
    List<Move> played = new ArrayList<>();
    Position position = Position.initial();
    for (String uci : moves) {
      Move move = Move.parse(uci).orElseThrow();
      played.add(move);
      position = position.play(move).orElseThrow();
    }
    return new MoveRequest(GAME, Position.initial(), played, position, level, time, patience);
  }

  @ParameterizedTest
  @EnumSource(names = {"CORRECT", "NOISE", "PIECEMEAL", "NOISY_ERRORS", "TABS", "SECOND_ANSWER"})
  void anEngineMovesWhateverItWritesBesides(Behaviour behaviour) {
    UciPlayer player = player(behaviour);
    Choice first = player.choose(request(LONG));
    assertThat(first.source()).isEqualTo(Source.UCI);
    assertThat(first.move().uci()).isEqualTo("b1a3");
    assertThat(first.score()).isEqualTo(31);
    Choice second = player.choose(request(LONG, "e2e4", "a7a5"));
    assertThat(second.source()).isEqualTo(Source.UCI);
    assertThat(second.move().uci()).isEqualTo("b1a3");
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {
        "ENDS_AT_START",
        "ENDS_AT_GO",
        "CLOSES_OUTPUT_AT_GO",
        "ILLEGAL_MOVE",
        "NO_MOVE",
        "WRONG_MOVE",
        "ENDLESS_LINE",
        "ENDLESS_LINES"
      })
  void theOwnEngineMovesForAnEngineThatFails(Behaviour behaviour) {
    assertOwnEngineMoves(player(behaviour), request(LONG, "e2e4"));
  }

  @Test
  void theOwnEngineMovesForAnEngineThatNeverAnswersGo() {
    UciPlayer player = player(Behaviour.SILENT_AT_GO);
    player.prepare();
    assertOwnEngineMoves(player, request(SHORT));
  }

  @Test
  void theOwnEngineMovesForAnEngineThatNeverAnswersAtAll() {
    UciPlayer player = player(TestUciEngine.command(Behaviour.SILENT), SHORT);
    assertOwnEngineMoves(player, request(LONG));
  }

  @Test
  void anEngineThatHangsAtItsStartDelaysOneMoveWithinItsPatience() {
    UciPlayer player = player(TestUciEngine.command(Behaviour.SILENT), LONG);
    long start = System.nanoTime();
    assertOwnEngineMoves(player, request(SHORT));
    for (int i = 0; i < 5; i++) {
      assertOwnEngineMoves(player, request(LONG.dividedBy(2), "e2e4"));
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONG.dividedBy(4));
  }

  @Test
  void aPlayerThatIsClosedWhileItsEngineStartsLeavesNoProcess() {
    UciPlayer player = player(TestUciEngine.command(Behaviour.SILENT), LONG);
    assertOwnEngineMoves(player, request(SHORT));
    await().until(() -> ProcessHandle.current().children().findAny().isPresent());
    List<ProcessHandle> children = ProcessHandle.current().children().toList();
    player.close();
    assertThat(children).allSatisfy(child -> assertThat(child.onExit()).succeedsWithin(LONG));
  }

  @Test
  void theOwnEngineMovesWhereThereIsNoSuchProgram() {
    UciPlayer player = player(List.of("/does/not/exist"), LONG);
    player.prepare();
    assertOwnEngineMoves(player, request(LONG));
  }

  private static void assertOwnEngineMoves(UciPlayer player, MoveRequest request) {
    Choice choice = player.choose(request);
    assertThat(choice.source()).isEqualTo(Source.FALLBACK);
    assertThat(request.position().legalMoves()).contains(choice.move());
  }

  @Test
  void anEngineThatHasFailedIsStartedAgainAfterADelayThatDoubles(@TempDir Path directory)
      throws Exception {
    Path starts = directory.resolve("starts");
    Path program = directory.resolve("engine");
    Files.writeString(program, "#!/bin/sh\necho >> '" + starts + "'\nexit 1\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    UciPlayer player = player(List.of(program.toString()), LONG);
    int started = 0;
    for (long seconds : new long[] {0, 1, 2, 4, 8, 16, 32, 60, 60}) {
      if (seconds > 0) {
        nanoTime.addAndGet(Duration.ofSeconds(seconds).toNanos() - 1);
        player.choose(request(LONG));
        assertThat(Files.readAllLines(starts)).hasSize(started);
        nanoTime.addAndGet(1);
      }
      player.choose(request(LONG));
      assertThat(Files.readAllLines(starts)).hasSize(++started);
    }
  }

  @Test
  void anEngineThatIsKilledMovesAgainAfterASecond() {
    UciPlayer player = player(Behaviour.CORRECT);
    assertThat(player.choose(request(LONG)).source()).isEqualTo(Source.UCI);
    ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);
    assertThat(player.choose(request(LONG)).source()).isEqualTo(Source.FALLBACK);
    assertThat(player.choose(request(LONG)).source()).isEqualTo(Source.FALLBACK);
    nanoTime.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(player.choose(request(LONG)).source()).isEqualTo(Source.UCI);
  }

  @ParameterizedTest
  @EnumSource(names = {"CORRECT", "STAYS"})
  void aClosedPlayerLeavesNoProcess(Behaviour behaviour) {
    UciPlayer player = player(behaviour);
    player.choose(request(LONG));
    List<ProcessHandle> children = ProcessHandle.current().children().toList();
    assertThat(children).isNotEmpty();
    player.close();
    assertThat(children).allSatisfy(child -> assertThat(child.onExit()).succeedsWithin(LONG));
  }

  @Test
  void anInterruptedThreadGetsAMoveAndStaysInterrupted() {
    UciPlayer player = player(Behaviour.SILENT_AT_GO);
    player.prepare();
    Thread.currentThread().interrupt();
    Choice choice = player.choose(request(LONG));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(Position.initial().legalMoves()).contains(choice.move());
  }

  @Test
  void stockfishPlaysAndSeesMate() {
    Assumptions.assumeTrue(Files.isExecutable(STOCKFISH), "there is no " + STOCKFISH);
    UciPlayer player = player(List.of(STOCKFISH.toString()), LONG);
    for (Level level : Level.values()) {
      Choice choice = player.choose(request(level, LONG, "e2e4", "e7e5"));
      assertThat(choice.source()).isEqualTo(Source.UCI);
    }
    Duration time = Duration.ofSeconds(2); // it counts before the engine gets a processor
    Choice mate = player.choose(request(Level.FIVE, time, LONG, "f2f3", "e7e5", "g2g4"));
    assertThat(mate.move().uci()).isEqualTo("d8h4");
    assertThat(mate.score()).isEqualTo(29_999);
  }

  @Test
  void anAnswerAfterThousandsOfUnreadLinesIsNotLost() throws Exception {
    String lines = "i=0; while [ $i -lt 3000 ]; do echo info depth 1; i=$((i+1)); done";
    String program = lines + "; echo bestmove a2a3";
    try (UciProcess process = new UciProcess(List.of("/bin/sh", "-c", program))) {
      await().until(() -> !process.isAlive()); // a pipe holds the rest
      long deadline = System.nanoTime() + LONG.toNanos();
      for (int i = 0; i < 3000; i++) {
        assertThat(process.next(deadline)).contains("info depth 1");
      }
      assertThat(process.next(deadline)).contains("bestmove a2a3");
    }
  }

  @Test
  void anOptionIsFoundWhateverTheOrderOfItsBounds() {
    UciEngine.Strength strength = new UciEngine.Strength();
    strength.read("option name UCI_LimitStrength type check default false");
    strength.read("option type spin name UCI_Elo default 1500 max 2000 min 1200");
    assertThat(strength.commands(Level.ONE)).contains("setoption name UCI_Elo value 1200");
  }

  @Test
  void anEngineThatCannotStartFailsWithTheReason() {
    assertThatThrownBy(() -> UciEngine.start(List.of("/does/not/exist"), LONG))
        .isInstanceOf(EngineFailure.class)
        .hasMessageContaining("cannot be started")
        .hasMessageNotContaining("java.");
  }
}
