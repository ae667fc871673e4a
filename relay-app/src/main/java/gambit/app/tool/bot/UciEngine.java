package gambit.app.tool.bot;

import gambit.app.tool.bot.MoveChooser.Choice;
import gambit.app.tool.bot.MoveChooser.MoveRequest;
import gambit.app.tool.bot.UciProcess.EngineFailure;
import gambit.chess.engine.Level;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.core.model.EventId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A running UCI engine: a process that has answered {@code uci} and {@code isready}. Whatever it
 * does wrong is an {@link EngineFailure}, after which it must be closed. Used by one thread.
 */
final class UciEngine implements AutoCloseable {
  private static final Pattern SCORE = Pattern.compile("\\bscore (cp|mate) (-?\\d{1,6})\\b");
  private static final int MATE = 30_000;
  private static final int MAX_NAME_CHARS = 80;

  private final UciProcess process;
  private final Strength strength = new Strength();
  private String name = "";
  private @Nullable EventId game;
  private @Nullable Level level;

  private UciEngine(UciProcess process) {
    this.process = process;
  }

  /** Starts an engine; the timeout is for the answer to each command but {@code go}. */
  static UciEngine start(List<String> command, Duration timeout)
      throws EngineFailure, InterruptedException {
    UciEngine engine = new UciEngine(new UciProcess(command));
    boolean isReady = false;
    try {
      engine.process.send("uci");
      engine.readOptions(timeout);
      engine.awaitReady(System.nanoTime() + timeout.toNanos());
      isReady = true;
      return engine;
    } finally {
      if (!isReady) {
        engine.process.close();
      }
    }
  }

  /** The name that the engine has given itself, printable and of limited length; may be empty. */
  String name() {
    return name;
  }

  private void readOptions(Duration timeout) throws EngineFailure, InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      String line = line(deadline, "uci");
      if (line.equals("uciok")) {
        return;
      } else if (line.startsWith("id name ")) {
        String text = line.substring("id name ".length()).replaceAll("[^ -~]", "");
        name = text.substring(0, Math.min(MAX_NAME_CHARS, text.length()));
      } else {
        strength.read(line);
      }
    }
  }

  /** Reads everything that the engine has written for earlier commands. */
  private void awaitReady(long deadline) throws EngineFailure, InterruptedException {
    process.send("isready");
    while (!line(deadline, "isready").equals("readyok")) {
      // Anything else belongs to an earlier command, such as a second bestmove.
    }
  }

  private String line(long deadline, String command) throws EngineFailure, InterruptedException {
    return process
        .next(deadline)
        .orElseThrow(() -> new EngineFailure("has not answered \"" + command + "\" in time"));
  }

  Choice choose(MoveRequest request) throws EngineFailure, InterruptedException {
    long deadline = System.nanoTime() + request.patience().toNanos();
    prepare(request);
    awaitReady(deadline);
    process.send(position(request));
    process.send(Strength.limits(request.level(), request.time().toMillis()));
    int score = 0;
    while (true) {
      String line = line(deadline, "go");
      if (line.startsWith("info ") && !line.startsWith("info string")) {
        score = score(line, score);
      } else if (line.equals("bestmove") || line.startsWith("bestmove ")) {
        return new Choice(legalMove(line, request), score, Choice.Source.UCI);
      }
    }
  }

  private void prepare(MoveRequest request) throws EngineFailure {
    if (!request.game().equals(game) || request.level() != level) {
      for (String command : strength.commands(request.level())) {
        process.send(command);
      }
      process.send("ucinewgame");
      game = request.game();
      level = request.level();
    }
  }

  private static String position(MoveRequest request) {
    String initial = request.initial().fen();
    String from =
        initial.equals(Position.initial().fen()) ? "position startpos" : "position fen " + initial;
    return request.moves().isEmpty()
        ? from
        : from
            + " moves "
            + request.moves().stream().map(Move::uci).collect(Collectors.joining(" "));
  }

  private static int score(String info, int otherwise) {
    Matcher matcher = SCORE.matcher(info);
    if (!matcher.find()) {
      return otherwise;
    }
    int value = Integer.parseInt(matcher.group(2));
    if (matcher.group(1).equals("mate")) {
      return value > 0 ? MATE - value : -MATE - value;
    }
    return Math.max(-MATE, Math.min(MATE, value));
  }

  private static Move legalMove(String line, MoveRequest request) throws EngineFailure {
    String[] words = line.split(" ", 3);
    String uci = words.length > 1 ? words[1] : "";
    Optional<Move> move = Move.parse(uci).filter(each -> request.position().play(each).isPresent());
    return move.orElseThrow(
        () ->
            new EngineFailure(
                "has chosen a move that is not legal: "
                    + uci.substring(0, Math.min(10, uci.length())).replaceAll("[^!-~]", "?")));
  }

  @Override
  public void close() {
    process.close();
  }

  /**
   * The options with which an engine can be made weaker. Each level requests an Elo rating ({@code
   * UCI_Elo}) within the engine's range, or a {@code Skill Level}, and a depth; an engine without
   * either has the depth only. Used by one thread.
   */
  static final class Strength {
    private static final Pattern PAIR =
        Pattern.compile(
            " (name|type|default|min|max|var) (.*?)(?= (?:name|type|default|min|max|var) |$)");
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,9}");
    private static final int[] ELO = {1000, 1350, 1700, 2100};
    private static final int[] SKILL_PERCENT = {0, 15, 40, 70};
    private static final int[] DEPTH = {1, 3, 6, 10};

    private boolean canLimit;
    private int minElo;
    private int maxElo;
    private int minSkill;
    private int maxSkill;

    /**
     * Reads an {@code option} line of the engine: pairs of a keyword and its words, in any order.
     */
    void read(String line) {
      String name = line.startsWith("option ") ? value(line, "name") : "";
      String type = value(line, "type");
      int min = number(value(line, "min"));
      int max = number(value(line, "max"));
      if (name.equalsIgnoreCase("UCI_LimitStrength") && type.equals("check")) {
        canLimit = true;
      } else if (name.equalsIgnoreCase("UCI_Elo") && type.equals("spin") && min <= max) {
        minElo = min;
        maxElo = max;
      } else if (name.equalsIgnoreCase("Skill Level") && type.equals("spin") && min <= max) {
        minSkill = min;
        maxSkill = max;
      }
    }

    private static String value(String line, String keyword) {
      Matcher matcher = PAIR.matcher(line);
      while (matcher.find()) {
        if (matcher.group(1).equals(keyword)) {
          return matcher.group(2);
        }
      }
      return "";
    }

    private static int number(String text) {
      return NUMBER.matcher(text).matches() ? Integer.parseInt(text) : 0;
    }

    List<String> commands(Level level) {
      List<String> commands = new ArrayList<>();
      boolean isFull = level == Level.FIVE;
      int index = Math.min(level.number(), ELO.length) - 1;
      if (canLimit && maxElo > 0) {
        commands.add("setoption name UCI_LimitStrength value " + !isFull);
        if (!isFull) {
          int elo = Math.max(minElo, Math.min(maxElo, ELO[index]));
          commands.add("setoption name UCI_Elo value " + elo);
        }
      } else if (maxSkill > minSkill) {
        int skill = minSkill + (maxSkill - minSkill) * SKILL_PERCENT[index] / 100;
        commands.add("setoption name Skill Level value " + (isFull ? maxSkill : skill));
      }
      return commands;
    }

    static String limits(Level level, long millis) {
      String depth = level == Level.FIVE ? "" : " depth " + DEPTH[level.number() - 1];
      return "go movetime " + Math.max(1, millis) + depth;
    }
  }
}
