package gambit.chess.simulation;

import gambit.chess.dialect.Dialect.Trait;
import gambit.chess.dialect.Ephemeral;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Nip100;
import gambit.chess.game.OngoingGame;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The next action of a player, chosen at random: mostly one that advances a game, sometimes any
 * other. It reads from the checker what a client would know from its screen.
 */
final class RandomActions {
  private static final byte[] NO_SIGNATURE = new byte[64];

  private static final List<String> TIMES = List.of("60", "180+2", "1/30", "1/3600", "-", "");

  /** Lines that lead to mate, stalemate or repetitions. */
  private static final List<List<String>> LINES =
      List.of(
          List.of("f2f3 e7e5 g2g4 d8h4".split(" ")),
          List.of("e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7".split(" ")),
          List.of(
              ("e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7"
                      + " b8c8 f7g6 c8e6")
                  .split(" ")),
          List.of(
              ("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8")
                  .split(" ")));

  /** Positions close to an ending. */
  private static final List<String> POSITIONS =
      List.of(
          "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
          "8/8/8/3k4/8/3K4/8/R7 b - - 0 1",
          "8/8/8/8/3k4/4p3/8/4K3 w - - 0 1",
          "4k3/8/8/8/8/8/8/R3K3 w - - 149 90",
          "4k3/8/8/8/8/8/8/R3K3 b - - 97 60",
          "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
          "not a position");

  private final SimulatedRelay simulatedRelay;
  private final InvariantChecker checker;
  private final RandomGenerator chance;
  private final PubKey relay;
  private long nonce;

  RandomActions(SimulatedRelay simulatedRelay, RandomGenerator chance) {
    this.simulatedRelay = simulatedRelay;
    this.checker = simulatedRelay.checker;
    this.chance = chance;
    this.relay = simulatedRelay.signer().pubkey();
  }

  private boolean oneIn(int count) {
    return chance.nextInt(count) == 0;
  }

  private <T> T any(List<T> list) {
    return list.get(chance.nextInt(list.size()));
  }

  /** A player acts, or does nothing. */
  void act(SimulatedPlayer player) {
    InvariantChecker.KnownGame game = anyGameOf(player);
    player.sockets.removeIf(
        socket -> !socket.isOpen()); // also if it is another player's, who closed it
    if (player.sockets.isEmpty()) {
      if (game == null || !oneIn(4)) {
        comeIn(player, game);
      }
    } else if (oneIn(150)) {
      simulatedRelay.close(player.sockets.remove(chance.nextInt(player.sockets.size())));
    } else if (oneIn(150) && player.sockets.size() < 3) {
      player.sockets.add(simulatedRelay.connect());
      connect(player);
    } else if (oneIn(5) && !player.sockets.get(0).isSubscribed) {
      simulatedRelay.subscribe(player.sockets.get(0), player.key);
    } else if (oneIn(60) && !player.sent.isEmpty()) {
      send(player, any(player.sent)); // once more
    } else if (game != null && chance.nextInt(12) < eagerness(player, game)) {
      play(player, game);
    } else if (!checker.queue.contains(player.key)) {
      lookForAGame(player);
    } else if (oneIn(20)) {
      leaveTheQueue(player);
    }
  }

  private InvariantChecker.@Nullable KnownGame anyGameOf(SimulatedPlayer player) {
    List<InvariantChecker.KnownGame> own = checker.gamesOf(player.key);
    return own.isEmpty() ? null : own.size() == 1 ? own.get(0) : any(own);
  }

  private boolean hasLiveGame(SimulatedPlayer player) {
    return checker.gamesOf(player.key).stream().anyMatch(game -> !game.ref.isSlow());
  }

  /** How often, of twelve times, a player acts in a game instead of looking for another one. */
  private int eagerness(SimulatedPlayer player, InvariantChecker.KnownGame game) {
    return isHouse(player) ? 9 : game.ref.isSlow() ? 3 : 11;
  }

  private static boolean isHouse(SimulatedPlayer player) {
    return player.key.equals(SimulatedRelay.HOUSE);
  }

  private void comeIn(SimulatedPlayer player, InvariantChecker.@Nullable KnownGame game) {
    List<SimulatedConnection> shared = any(simulatedRelay.players).sockets;
    player.sockets.add(shared.isEmpty() || !oneIn(10) ? simulatedRelay.connect() : shared.get(0));
    if (!hasLiveGame(player) && oneIn(3)) {
      player.ephemeral = !player.ephemeral;
    }
    if (oneIn(3)) { // as a client that logs in before it subscribes
      SimulatedConnection socket = player.sockets.get(0);
      socket.isSubscribed &= !shared.isEmpty() && socket == shared.get(0);
      simulatedRelay.logIn(socket, player.key);
    } else if (!oneIn(10)) {
      connect(player);
    }
  }

  private void lookForAGame(SimulatedPlayer player) {
    if (isHouse(player) ? oneIn(20) : player.ephemeral || oneIn(2)) {
      connect(player);
    } else {
      invite(player);
    }
    if (oneIn(30)) {
      send(player, event(player, 5001, "e2e4", List.of()));
      send(player, ephemeral(player, "e2e4", null));
    }
  }

  private void connect(SimulatedPlayer player) {
    List<List<String>> tags = new ArrayList<>();
    if (!player.time.isEmpty()) {
      tags.add(List.of("time", oneIn(50) ? "soon" : oneIn(50) ? "-" : player.time));
    }
    if (oneIn(20) != player.isRated) {
      tags.add(rated());
    }
    if (player.ephemeral) {
      tags.add(List.of("p", relay.hex()));
      send(player, event(player, Ephemeral.PLAY, "", tags));
    } else {
      send(player, event(player, Nip100.LOBBY, "connect", tags));
    }
  }

  private List<String> rated() {
    return List.of("rated", oneIn(50) ? "maybe" : oneIn(50) ? "false" : "true");
  }

  private void leaveTheQueue(SimulatedPlayer player) {
    switch (chance.nextInt(4)) {
      case 0 -> connect(player);
      case 1 -> invite(player);
      default -> {
        if (player.ephemeral) {
          send(player, ephemeral(player, "quit", null));
        } else {
          send(player, event(player, Nip100.LOBBY, "cancelsearch", List.of()));
        }
      }
    }
  }

  private void invite(SimulatedPlayer player) {
    List<Event> pending = checker.invites();
    if (player.lastGame != null && oneIn(3)) {
      send(player, lobby(player, "rematch", List.of(List.of("e", player.lastGame.hex()))));
    } else if (!pending.isEmpty() && !oneIn(3)) {
      Event invite = suited(player, pending);
      String word = oneIn(8) ? "reject" : "accept";
      EventId named =
          invite.content().equals("rematch") && oneIn(2)
              ? EventId.ofHex(invite.tags().first("e").orElseThrow()) // the game
              : invite.id();
      if (invite.pubkey().equals(player.key) && oneIn(2)) {
        send(player, event(player, Kind.DELETION, "", List.of(List.of("e", invite.id().hex()))));
      } else {
        send(player, lobby(player, word, List.of(List.of("e", named.hex()))));
      }
    } else {
      List<List<String>> tags = new ArrayList<>();
      if (oneIn(2)) {
        PubKey opponent = oneIn(3) ? SimulatedRelay.HOUSE : any(simulatedRelay.players).key;
        tags.add(List.of("p", opponent.hex()));
      }
      if (oneIn(4)) {
        tags.add(List.of("unlisted"));
      }
      tags.add(List.of("color", any(List.of("white", "black", "random"))));
      String time = any(TIMES);
      if (!time.isEmpty()) {
        tags.add(List.of("time", time));
      }
      boolean isRated = oneIn(5);
      if (isRated) {
        tags.add(rated());
      }
      if (isRated ? oneIn(10) : !oneIn(3)) {
        tags.add(List.of("fen", any(POSITIONS)));
      }
      send(player, lobby(player, "invite", tags));
    }
  }

  /** An invite that the player may accept, if one of a few is. */
  private Event suited(SimulatedPlayer player, List<Event> pending) {
    Event invite = any(pending);
    for (int i = 0; i < 10; i++) {
      String p = invite.tags().first("p").orElse("");
      if (p.equals(player.key.hex()) || (p.isEmpty() && !invite.pubkey().equals(player.key))) {
        return invite;
      }
      invite = any(pending);
    }
    return invite;
  }

  private Event lobby(SimulatedPlayer player, String word, List<List<String>> tags) {
    return event(player, Nip100.LOBBY, word, tags);
  }

  private void play(SimulatedPlayer player, InvariantChecker.KnownGame game) {
    player.lastGame = game.ref.id();
    Side side = game.ref.sideOf(player.key);
    boolean speaksDraft = !game.ref.dialect(side).has(Trait.FOLLOWS_STATES);
    OngoingGame playing = game.playing;
    boolean isAsked = playing.proposal() != null && playing.proposal().by() != side;
    if (isAsked && oneIn(2)) {
      String answer = any(List.of("accept", "decline", "offer", "takeback"));
      if (speaksDraft) {
        send(player, event(player, Nip100.DRAW, answer, naming(player, game)));
      } else {
        send(player, ephemeral(player, any(List.of("draw", "takeback")), game));
      }
    } else if (playing.turn() == side) {
      boolean hasSeveral = checker.gamesOf(player.key).size() > 1;
      if (checker.commands.of(player.key).isEmpty() || oneIn(hasSeveral ? 2 : 10)) {
        inTurn(player, game, speaksDraft);
      }
    } else if (oneIn(12)) {
      anything(player, game, speaksDraft);
    }
  }

  private void inTurn(
      SimulatedPlayer player, InvariantChecker.KnownGame game, boolean speaksDraft) {
    if (oneIn(14)) {
      anything(player, game, speaksDraft);
      return;
    }
    Position position = game.playing.position();
    if ((position.threefold() && oneIn(8)) || (position.fiftyMoves() && oneIn(2))) {
      send(
          player,
          speaksDraft
              ? event(player, Nip100.DRAW, "claim", naming(player, game))
              : ephemeral(player, "draw", game));
      return;
    }
    String move = move(game).uci();
    if (!speaksDraft) {
      send(player, ephemeral(player, move, isNamed(player, game) ? game : null));
      return;
    }
    List<List<String>> tags = new ArrayList<>(naming(player, game));
    if (oneIn(10)) {
      tags.add(List.of("ply", "" + (game.playing.plies() + (oneIn(4) ? 2 : 1))));
    }
    if (oneIn(15)) {
      tags.add(List.of("draw", "offer"));
    }
    send(player, event(player, Nip100.MOVE, move, tags));
  }

  /** Whether an event names its game: always where it must, but for a few mistakes. */
  private boolean isNamed(SimulatedPlayer player, InvariantChecker.KnownGame game) {
    return isMeant(player, game) ? oneIn(2) : !oneIn(20);
  }

  /** Whether an event that names no game is about this one. */
  private boolean isMeant(SimulatedPlayer player, InvariantChecker.KnownGame game) {
    return GameRef.unnamed(checker.gamesOf(player.key), own -> own.ref.isSlow()) == game;
  }

  /** The tag that names the game of an event of NIP-100, if the event names one. */
  private List<List<String>> naming(SimulatedPlayer player, InvariantChecker.KnownGame game) {
    boolean isNamed = isMeant(player, game) ? oneIn(15) : !oneIn(20);
    return isNamed ? List.of(List.of("e", game.ref.id().hex(), "", "root")) : List.of();
  }

  /** The next move of the game's line, else any. */
  private Move move(InvariantChecker.KnownGame game) {
    Position position = game.playing.position();
    int number = Math.floorMod(game.number, 2 * LINES.size());
    int ply = game.playing.plies();
    if (number < LINES.size() && ply < LINES.get(number).size()) {
      Move planned = Move.parse(LINES.get(number).get(ply)).orElseThrow();
      if (position.play(planned).isPresent()) {
        return planned;
      }
    }
    return any(position.legalMoves());
  }

  /** Any word of the vocabulary, sensible or not. */
  private void anything(
      SimulatedPlayer player, InvariantChecker.KnownGame game, boolean speaksDraft) {
    if (speaksDraft == player.ephemeral && oneIn(2)) {
      connect(player); // speaks the other dialect
      return;
    }
    if (!speaksDraft) {
      String word =
          any(List.of("resign", "draw", "takeback", "quit", "e2e5", "O-O", "nonsense", "takeback"));
      send(player, ephemeral(player, word, isNamed(player, game) ? game : null));
      return;
    }
    switch (chance.nextInt(14)) {
      case 0, 1 -> send(player, event(player, Nip100.RESIGN, "resign", naming(player, game)));
      case 2, 3 -> send(player, event(player, Nip100.MOVE, "a1a1", naming(player, game)));
      case 4 -> {
        String word = any(List.of("nonsense", "Nf3", "E2E4", " a1a1", "resign"));
        send(player, event(player, Nip100.MOVE, word, List.of()));
      }
      case 5 ->
          send(player, lobby(player, oneIn(2) ? "abort" : "cancelsearch", naming(player, game)));
      case 6 -> connect(player);
      case 7, 8 -> send(player, event(player, Nip100.DRAW, "takeback", naming(player, game)));
      case 9 -> send(player, event(player, Nip100.DRAW, "claim", naming(player, game)));
      case 10 -> invite(player);
      case 11 ->
          send(
              player,
              event(player, Nip100.DRAW, any(List.of("accept", "decline")), naming(player, game)));
      default -> send(player, event(player, Nip100.DRAW, "offer", naming(player, game)));
    }
  }

  /** A player resigns all games that nothing else ends. */
  void resignUntimedGames(SimulatedPlayer player) {
    for (InvariantChecker.KnownGame game : List.copyOf(checker.gamesOf(player.key))) {
      if (game.playing.control().isUntimed()) {
        SimulatedConnection socket = simulatedRelay.connect();
        player.sockets.add(socket);
        simulatedRelay.logIn(socket, player.key);
        List<List<String>> named = List.of(List.of("e", game.ref.id().hex(), "", "root"));
        simulatedRelay.arrive(socket, event(player, Nip100.RESIGN, "resign", named));
        simulatedRelay.settle();
      }
    }
  }

  /** After the end of all games no move may be awaited. */
  void checkThatNoMoveIsAwaited() {
    checker
        .lastTurns()
        .forEach(
            (player, turn) -> {
              List<String> game = List.of("e", turn.game().hex(), "", "root");
              for (Move move : turn.position().legalMoves()) {
                checkThatItIsNotAwaited(player, move, List.of());
                checkThatItIsNotAwaited(player, move, List.of(game));
              }
            });
  }

  private void checkThatItIsNotAwaited(PubKey player, Move move, List<List<String>> tags) {
    Event event = event(new SimulatedPlayer(player, chance), 5001, move.uci(), tags);
    InvariantChecker.check(
        !simulatedRelay.isAwaited(event), Invariant.NOTHING_IS_LEFT, "awaited: " + event);
  }

  private Event ephemeral(
      SimulatedPlayer player, String content, InvariantChecker.@Nullable KnownGame game) {
    List<List<String>> tags = new ArrayList<>();
    tags.add(List.of("p", relay.hex()));
    if (game != null) {
      boolean isNamedByState = !content.equals("quit") && oneIn(4);
      if (!isNamedByState) {
        tags.add(List.of("d", game.ref.id().hex()));
      }
      var state = checker.stateOf(game.ref.id());
      if (state != null) {
        EventId id = state.state().get().id();
        tags.add(List.of("e", oneIn(30) ? game.ref.id().hex() : id.hex()));
      }
    }
    return event(player, Ephemeral.MOVE, content, tags);
  }

  private Event event(SimulatedPlayer player, int kind, String content, List<List<String>> tags) {
    List<List<String>> all = new ArrayList<>(tags);
    all.add(List.of("nonce", "" + nonce++));
    long createdAt =
        simulatedRelay.time.millis() / 1000 + (oneIn(100) ? chance.nextInt(-200, 200) : 0);
    Tags complete = new Tags(all);
    EventId id = EventEncoder.idOf(player.key, createdAt, kind, complete, content);
    return EventEncoder.encode(id, player.key, createdAt, kind, complete, content, NO_SIGNATURE);
  }

  private void send(SimulatedPlayer player, Event event) {
    player.remember(event);
    SimulatedConnection socket = any(player.sockets);
    simulatedRelay.arrive(socket, event);
    if (oneIn(200)) {
      simulatedRelay.arrive(any(player.sockets), event); // twice at once
    }
  }
}
