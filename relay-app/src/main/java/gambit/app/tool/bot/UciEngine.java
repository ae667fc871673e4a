package gambit.app.tool.bot;

import gambit.app.common.ErrorMessages;
import gambit.app.common.LineSplitter;
import gambit.app.common.ProcessGroup;
import gambit.app.tool.bot.MoveChooser.Choice;
import gambit.app.tool.bot.MoveChooser.MoveRequest;
import gambit.app.tool.bot.UciEngine.UciProcess.EngineFailure;
import gambit.chess.engine.Level;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.core.model.EventId;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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

    /** Reads an {@code option} line: pairs of a keyword and its words, in any order. */
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

  /**
   * A process that speaks UCI, as lines whose words are separated by single blanks. Used by one
   * thread; a thread of its own reads the output. Lines that do not begin with a word of the
   * protocol are skipped, the rest of a line beyond {@link #MAX_LINE_BYTES} too, and a process that
   * writes more than {@link #MAX_OUTPUT_BYTES} for one command is ended.
   */
  static final class UciProcess implements AutoCloseable {
    static final int MAX_LINE_BYTES = 4096;
    static final int MAX_OUTPUT_BYTES = 8 << 20;

    /** Unread lines; beyond that, the process waits in its writes until some are read. */
    private static final int MAX_LINES = 200;

    private static final Set<String> WORDS =
        Set.of("id", "uciok", "readyok", "bestmove", "option", "info");
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final String END = "";
    private static final int QUIT_MILLIS = 100;

    private final Process process;
    private final OutputStream input;
    private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(MAX_LINES);
    private final Thread reader = new Thread(this::read, "uci-engine-output");
    private final AtomicInteger outputBytes = new AtomicInteger();
    private volatile boolean isTooMuch;

    UciProcess(List<String> command) throws EngineFailure {
      try {
        process =
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      } catch (IOException e) {
        throw new EngineFailure("cannot be started: " + ErrorMessages.of(e));
      }
      input = process.getOutputStream();
      reader.setDaemon(true);
      reader.start();
    }

    void send(String command) throws EngineFailure {
      outputBytes.set(0);
      try {
        input.write((command + "\n").getBytes(StandardCharsets.US_ASCII));
        input.flush();
      } catch (IOException e) {
        throw ended();
      }
    }

    /** The next line, or empty if there is none before the deadline, of {@link System#nanoTime}. */
    Optional<String> next(long deadline) throws EngineFailure, InterruptedException {
      String line = lines.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      if (END.equals(line)) {
        throw ended();
      }
      return Optional.ofNullable(line);
    }

    private EngineFailure ended() {
      return new EngineFailure(
          isTooMuch
              ? "has written more than " + MAX_OUTPUT_BYTES / (1 << 20) + " MB for one command"
              : process.isAlive()
                  ? "has closed its output"
                  : "has ended with status " + process.exitValue());
    }

    private void read() {
      LineSplitter splitter = new LineSplitter(MAX_LINE_BYTES, StandardCharsets.ISO_8859_1);
      byte[] bytes = new byte[8192];
      try (InputStream output = process.getInputStream()) {
        for (int count = output.read(bytes); count >= 0; count = output.read(bytes)) {
          if (outputBytes.addAndGet(count) > MAX_OUTPUT_BYTES) {
            isTooMuch = true;
            break;
          }
          splitter.split(bytes, count, line -> add(BLANKS.matcher(line.strip()).replaceAll(" ")));
        }
      } catch (IOException e) {
        // The process has ended or was ended.
      } finally {
        ProcessGroup.kill(process);
        put(END);
      }
    }

    private void add(String line) {
      int space = line.indexOf(' ');
      if (WORDS.contains(space < 0 ? line : line.substring(0, space))) {
        put(line);
      }
    }

    private void put(String line) {
      try {
        lines.put(line);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // nobody reads any more: the process is being ended
      }
    }

    boolean isAlive() {
      return process.isAlive();
    }

    @Override
    public void close() {
      try {
        send("quit");
        input.close();
        process.waitFor(QUIT_MILLIS, TimeUnit.MILLISECONDS);
      } catch (EngineFailure | IOException e) {
        // It is ended below.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        reader.interrupt();
        ProcessGroup.kill(process);
      }
    }

    /** A UCI engine cannot be used; its message says why, in words for an operator. */
    static final class EngineFailure extends Exception {
      EngineFailure(String message) {
        super(message);
      }
    }
  }
}
