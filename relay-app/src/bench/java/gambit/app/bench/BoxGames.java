package gambit.app.bench;

import gambit.app.bench.Message.Verb;
import gambit.app.common.SafeText;
import gambit.core.model.Tags;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The games of a {@link Box}: players who search, play to the end of a {@link BoxScript} and search
 * again, and spectators who see each move of one game after another. Each game has at most one move
 * under way, and the one that has rested longest moves next. All answers are checked. On the event
 * loop, but for the signing of moves.
 */
final class BoxGames {
  private static final int SCRIPTS = 256;
  private static final int CONNECT = 5000;
  private static final int MOVE = 5001;
  private static final int PROPOSAL = 5002;
  private static final int RESIGN = 5003;
  private static final int SEARCHES_AT_ONCE = 50;

  private static final Pattern ID = Pattern.compile("\"id\": ?\"([0-9a-f]{64})\"");
  private static final Pattern PLAYERS =
      Pattern.compile(
          "\"p\", ?\"([0-9a-f]{64})\", ?\"\", ?\"white\"], ?"
              + "\\[\"p\", ?\"([0-9a-f]{64})\", ?\"\", ?\"black\"");
  private static final Pattern TERMINATION = Pattern.compile("\"termination\", ?\"([a-z]+)\"");

  private final Random random;
  private final List<BoxScript> scripts;
  private final Executor signing;
  private final Deque<Player> idle = new ArrayDeque<>();
  private final Map<String, Player> byKey = new HashMap<>();
  private final Map<String, Game> found = new HashMap<>(); // of which one player does not know yet
  private final Deque<Group> groups = new ArrayDeque<>(); // that watch no game
  private final Deque<Game> resting = new ArrayDeque<>();
  private final Queue<Game> signed = new ConcurrentLinkedQueue<>();
  private final int all;
  private Counts counts = new Counts();
  private int running;
  private int begun;
  private int searching;
  private int underWay;
  private int unseen;
  private int ending;

  /** What is measured. */
  static final class Counts {
    final Totals movers = new Totals();
    final Totals opponents = new Totals();
    final Totals spectators = new Totals();
    final Totals pairings = new Totals();

    private void wrong(String reason, Message message) {
      movers.wrong(reason + ": " + SafeText.of(message.text()));
    }
  }

  private static final class Player {
    private final BenchGame.Player player;
    private @Nullable Game game;
    private long searchKey;
    private long searchBegun;
    private long commandKey;

    Player(BenchClient client) {
      this.player = BenchGame.Player.on(client);
    }

    String hex() {
      return player.key().pubkey().hex();
    }

    /** Sends a command; returns its key. */
    long send(int kind, String content) {
      SignedEvent event = player.sign(kind, content);
      event.sendBy(player.client());
      return event.key();
    }
  }

  private static final class Spectator {
    private final BenchClient client;
    private @Nullable Game game;
    private int seen;

    Spectator(BenchClient client) {
      this.client = client;
    }
  }

  /** Spectators of the same game. */
  private record Group(List<Spectator> spectators) {}

  private static final class Game {
    private final String id;
    private final Player white;
    private final Player black;
    private final BoxScript script;
    private final long[] keys;
    private final long[] times;
    private @Nullable Group group;
    private @Nullable SignedEvent next;
    private int ply;
    private boolean isUnderWay;
    private boolean isAnswered;
    private boolean isDelivered;
    private boolean isEnding;
    private boolean isOver;
    private int unaware = 2; // players who do not know of it
    private int unended = 2; // players who do not know that it is over
    private int unsubscribed; // spectators without EOSE
    private int unseen; // moves, by each spectator

    Game(String id, Player white, Player black, BoxScript script) {
      this.id = id;
      this.white = white;
      this.black = black;
      this.script = script;
      this.keys = new long[script.moves().size()];
      this.times = new long[script.moves().size()];
    }

    Player mover() {
      return ply % 2 == 0 ? white : black;
    }

    Player waiter() {
      return ply % 2 == 0 ? black : white;
    }

    int sent() {
      return isUnderWay ? ply + 1 : ply;
    }

    /** Signs the next move. */
    void sign() {
      Draft draft =
          Draft.of(
              0,
              mover().player.key(),
              System.currentTimeMillis() / 1000,
              MOVE,
              new Tags(
                  List.of(List.of("e", id, "", "root"), List.of("ply", String.valueOf(ply + 1)))),
              script.moves().get(ply));
      next = SignedEvent.of(draft, draft.sign().toString());
    }
  }

  /**
   * Games between these clients.
   *
   * @param players two for each game
   * @param groups of spectators
   * @param plies the average length of a game
   * @param signing signs moves ahead
   */
  BoxGames(
      List<BenchClient> players,
      List<List<BenchClient>> groups,
      int plies,
      Random random,
      Executor signing) {
    this.all = players.size() / 2;
    this.random = random;
    this.scripts = BoxScript.some(SCRIPTS, plies, random);
    this.signing = signing;
    for (BenchClient client : players) {
      Player player = new Player(client);
      idle.add(player);
      byKey.put(player.hex(), player);
      listen(client, message -> receivedByPlayer(player, message));
    }
    for (List<BenchClient> clients : groups) {
      Group group = new Group(clients.stream().map(Spectator::new).toList());
      this.groups.add(group);
      for (Spectator spectator : group.spectators()) {
        listen(spectator.client, message -> receivedBySpectator(spectator, message));
      }
    }
  }

  private void listen(BenchClient client, BenchClient.Listener to) {
    client.listen(
        new BenchClient.Listener() {
          @Override
          public void received(Message message) {
            if (message.verb() == Verb.NOTICE || message.verb() == Verb.CLOSED) {
              counts.wrong("a refusal", message);
            } else {
              to.received(message);
            }
          }

          @Override
          public void ended(String reason) {
            counts.movers.wrong(reason);
          }
        });
  }

  /** Lets the first players search; all follow. */
  void begin() {
    search();
  }

  /** Counts from now on; returns what was counted before. */
  Counts count() {
    Counts before = counts;
    counts = new Counts();
    return before;
  }

  /** Whether all games run, so that moves can begin. */
  boolean allRun() {
    return running == all;
  }

  /**
   * Whether nothing is awaited, but for an opponent. After a wrong answer nothing is: what belongs
   * to a game that ended too early never arrives.
   */
  boolean isSettled() {
    boolean isQuiet = underWay == 0 && unseen == 0 && ending == 0 && searching <= 1;
    return isQuiet || counts.movers.wrongCount() > 0;
  }

  /** What runs, what is awaited and what was wrong, in a few words. */
  String state() {
    return String.format(
        "%d of %d games run; %d moves, %d deliveries to spectators, %d endings and %d searches are"
            + " under way %s",
        running, all, underWay, unseen, ending, searching, counts.movers.firstWrong());
  }

  /** Begins the moves that are due, and are signed. */
  void move(Pacing pacing) {
    for (Game game = signed.poll(); game != null; game = signed.poll()) {
      resting.add(game);
    }
    long now = System.nanoTime();
    while (!resting.isEmpty() && pacing.isDue(now)) {
      begin(resting.remove(), pacing.begin(now));
    }
  }

  private void begin(Game game, long time) {
    SignedEvent move = game.next;
    if (move == null) {
      throw new IllegalStateException("a move that is not signed");
    }
    game.keys[game.ply] = move.key();
    game.times[game.ply] = time;
    game.isUnderWay = true;
    game.isAnswered = false;
    game.isDelivered = false;
    underWay++;
    if (game.group != null) {
      game.unseen += game.group.spectators().size();
      unseen += game.group.spectators().size();
    }
    move.sendBy(game.mover().player.client());
  }

  private void search() {
    while (!idle.isEmpty() && searching < SEARCHES_AT_ONCE) {
      Player player = idle.remove();
      player.searchBegun = System.nanoTime();
      player.searchKey = player.send(CONNECT, "connect");
      searching++;
    }
  }

  private void receivedByPlayer(Player player, Message message) {
    switch (message.verb()) {
      case OK -> answered(player, message);
      case EVENT -> event(player, message);
      case AUTH -> {}
      default -> counts.wrong("an unexpected message", message);
    }
  }

  private void answered(Player player, Message message) {
    long key = message.answeredKey();
    Game game = player.game;
    if (!message.isAccepted()) {
      counts.wrong("a refusal", message);
    } else if (game != null
        && game.isUnderWay
        && !game.isAnswered
        && player == game.mover()
        && key == game.keys[game.ply]) {
      game.isAnswered = true;
      counts.movers.operation(System.nanoTime() - game.times[game.ply]);
      conclude(game);
    } else if (key != player.searchKey && key != player.commandKey) {
      counts.wrong("an OK for an event that awaits none", message);
    }
  }

  private void event(Player player, Message message) {
    long key = message.eventKey();
    Game game = player.game;
    if (game != null
        && game.isUnderWay
        && !game.isDelivered
        && player == game.waiter()
        && key == game.keys[game.ply]) {
      game.isDelivered = true;
      counts.opponents.operation(System.nanoTime() - game.times[game.ply]);
      conclude(game);
      return;
    }
    String text = message.text();
    Matcher termination = TERMINATION.matcher(text);
    if (game == null && text.contains("gameisfound")) {
      found(player, message, text);
    } else if (game != null && termination.find()) {
      ended(player, game, termination.group(1), message);
    } else if (game != null && game.isEnding && text.contains("offersent")) {
      player.commandKey = player.send(PROPOSAL, "accept");
    } else {
      counts.wrong("an unexpected event", message);
    }
  }

  private void found(Player player, Message message, String text) {
    Matcher id = ID.matcher(text);
    Matcher players = PLAYERS.matcher(text);
    if (!id.find() || !players.find()) {
      counts.wrong("a game without players", message);
      return;
    }
    Player white = byKey.get(players.group(1));
    Player black = byKey.get(players.group(2));
    if (white == null || black == null || (player != white && player != black)) {
      counts.wrong("a game of others", message);
      return;
    }
    Game game = found.computeIfAbsent(id.group(1), key -> new Game(key, white, black, script()));
    player.game = game;
    searching--;
    if (--game.unaware == 0) {
      found.remove(game.id);
      long begin = Math.max(white.searchBegun, black.searchBegun);
      counts.pairings.operation(System.nanoTime() - begin);
      running++;
      watch(game);
    }
    search();
  }

  /** A script; of the first games, which begin at the same time, only a part of random length. */
  private BoxScript script() {
    BoxScript script = scripts.get(random.nextInt(scripts.size()));
    return begun++ < all
        ? script.first(BoxScript.MIN_PLIES + random.nextInt(script.moves().size()))
        : script;
  }

  /** Lets spectators subscribe to a game, if some have none, before its first move. */
  private void watch(Game game) {
    Group group = groups.poll();
    if (group == null) {
      sign(game);
      return;
    }
    game.group = group;
    game.unsubscribed = group.spectators().size();
    byte[] request =
        ("[\"REQ\",\"game\",{\"kinds\":[" + MOVE + "],\"#e\":[\"" + game.id + "\"]}]")
            .getBytes(StandardCharsets.UTF_8);
    for (Spectator spectator : group.spectators()) {
      spectator.game = game;
      spectator.seen = 0;
      spectator.client.send(request);
    }
  }

  private void sign(Game game) {
    signing.execute(
        () -> {
          game.sign();
          signed.add(game);
        });
  }

  /** A move has ended when both players have it. */
  private void conclude(Game game) {
    if (!game.isAnswered || !game.isDelivered) {
      return;
    }
    underWay--;
    game.isUnderWay = false;
    game.ply++;
    if (game.ply < game.script.moves().size()) {
      sign(game);
      return;
    }
    ending++;
    game.isEnding = true;
    switch (game.script.ending()) {
      case CHECKMATE -> {}
      case AGREEMENT -> {
        Player player = game.waiter(); // only who has moved may offer a draw
        player.commandKey = player.send(PROPOSAL, "offer");
      }
      case RESIGNATION -> {
        Player player = game.mover();
        player.commandKey = player.send(RESIGN, "resign");
      }
    }
    finish(game);
  }

  /** A player knows that the game is over; after a mate, perhaps before the move is delivered. */
  private void ended(Player player, Game game, String termination, Message message) {
    if (!termination.equals(game.script.ending().termination())
        || game.sent() < game.script.moves().size()) {
      counts.wrong("a game has ended otherwise than played", message);
    }
    player.game = null;
    game.unended--;
    finish(game);
  }

  private void finish(Game game) {
    if (game.isEnding && game.unended == 0) {
      ending--;
      running--;
      game.isOver = true;
      release(game);
      idle.add(game.white);
      idle.add(game.black);
      search();
    }
  }

  private void release(Game game) {
    Group group = game.group;
    if (group != null && game.isOver && game.unseen == 0) {
      groups.add(group);
    }
  }

  private void receivedBySpectator(Spectator spectator, Message message) {
    Game game = spectator.game;
    if (message.verb() == Verb.EOSE && game != null && game.unsubscribed > 0) {
      if (--game.unsubscribed == 0) {
        sign(game);
      }
    } else if (message.verb() == Verb.EVENT) {
      if (game == null
          || spectator.seen == game.sent()
          || message.eventKey() != game.keys[spectator.seen]) {
        counts.wrong("another event than the next move", message);
        return;
      }
      counts.spectators.operation(System.nanoTime() - game.times[spectator.seen++]);
      unseen--;
      game.unseen--;
      release(game);
    }
  }
}
