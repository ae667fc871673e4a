package gambit.app.tool.verify;

import gambit.app.tool.client.GameTerms;
import gambit.app.tool.client.ReceivedMessage;
import gambit.app.tool.verify.GameFetcher.FetchedGame;
import gambit.chess.dialect.JesterMessage;
import gambit.chess.rules.Side;
import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Checks that each event is its author's and was signed for this game: id, signature, author, time,
 * and the tags that name a game or a relay; and that no event counts twice. Adds faults to the
 * findings. One thread.
 *
 * <p>Arrival times are bounded by {@code created_at}, in seconds of Unix time: a relay accepts only
 * events whose {@code created_at} is within {@code chess.max_clock_skew} of their arrival.
 */
final class AuthenticityCheck {
  final FetchedGame fetched;
  final GameTerms game;
  private final long begin;
  private final long end;
  private final long skew;
  final Findings findings;
  private final Predicate<String> connected;
  private final Predicate<String> claimed;
  private final EventVerifier verifier;
  private final Set<EventId> used = new HashSet<>();

  /** The players' valid events: one may be both the last move and an offer. */
  private final Map<EventId, Event> ofPlayers = new HashMap<>();

  int withoutGame;

  /** The events of players that name the relay only by a URL that it claims. */
  int byClaimedUrl;

  /** For each side, the earliest possible arrival of its last move. */
  private final Map<Side, Long> lastMoves = new EnumMap<>(Side.class);

  /** The URLs are those by which the user has reached the relay, and those that the PGN claims. */
  AuthenticityCheck(
      FetchedGame fetched,
      GameTerms game,
      long begin,
      Duration skew,
      Predicate<String> connected,
      Predicate<String> claimed,
      EventVerifier verifier,
      Findings findings) {
    this.fetched = fetched;
    this.game = game;
    this.begin = begin;
    this.end = fetched.records().get(0).createdAt();
    this.skew = skew.toSeconds();
    this.connected = connected;
    this.claimed = claimed;
    this.verifier = verifier;
    this.findings = findings;
  }

  /** The reason why an event is not its author's; empty if id and signature are valid. */
  static Optional<String> forgery(Event event, EventVerifier verifier) {
    if (!verifier.hasValidId(event)) {
      return Optional.of("has an id that is not its hash");
    } else if (!verifier.hasValidSignature(event)) {
      return Optional.of("is not signed by the key that it names");
    }
    return Optional.empty();
  }

  /** Adds, for each side, whether its events name the relay: others can have been forwarded. */
  void addNamedRelay() {
    for (Side side : Side.values()) {
      String name = ChessProtocol.name(side);
      List<Event> events =
          ofPlayers.values().stream().filter(event -> game.sideOf(event.pubkey()) == side).toList();
      long named = events.stream().filter(event -> !relays(event).isEmpty()).count();
      if (!events.isEmpty() && named == events.size()) {
        findings.proved.add("All events of " + name + " name the relay: " + named + ".");
      } else if (!events.isEmpty()) {
        findings.attested.add(
            "That no other relay forwarded events of %s: %s of %d name the relay."
                .formatted(name, named == 0 ? "none" : "" + named, events.size()));
      }
    }
  }

  boolean isByRelay(String what, Event event) {
    return passes(what, event, flaw(event, fetched.referee()).or(() -> flawOfRecordedGame(event)));
  }

  boolean isByPlayer(PubKey player, String what, Event event) {
    Optional<String> flaw = flaw(event, player);
    if (flaw.isEmpty() && event.kind() != JesterMessage.KIND) {
      flaw = flawOfRelay(event).or(() -> flawOfGame(event));
    }
    return passes(what, event, flaw);
  }

  /** The event of a player of the ephemeral dialect in a {@code proof} tag; empty if invalid. */
  Optional<Event> checkedProof(PubKey player, String what, String json) {
    Optional<Event> event =
        ReceivedMessage.parseEvent(json).filter(it -> it.kind() == ChessProtocol.EPHEMERAL);
    if (event.isEmpty()) {
      findings.faults.add(what + ": the proof is not an event of kind " + ChessProtocol.EPHEMERAL);
    }
    return event.filter(it -> isByPlayer(player, what, it) && isUnused(what, it));
  }

  boolean isUnused(String what, Event event) {
    return passes(
        what, event, used.add(event.id()) ? Optional.empty() : Optional.of("is used twice"));
  }

  void reportMissing(String what, String id, List<PubKey> players) {
    findings.missing.add(what + ": the event " + id + fetched.absence(players, verifier));
  }

  private boolean passes(String what, Event event, Optional<String> flaw) {
    flaw.ifPresent(words -> findings.fault(what, event, words));
    return flaw.isEmpty();
  }

  private Optional<String> flaw(Event event, PubKey author) {
    if (!event.pubkey().equals(author)) {
      return Optional.of("is signed by " + event.pubkey() + ", not by " + author);
    } else if (ChessProtocol.isJob(event)) {
      return Optional.of("has a tag of a NIP-90 job, so it is not chess");
    }
    return forgery(event, verifier).or(() -> outsideGame(event));
  }

  private Optional<String> flawOfRecordedGame(Event event) {
    String id = game.id().hex();
    boolean isNamed =
        event.tags().root().equals(Optional.of(id))
            && event.tags().values("e").allMatch(id::equals)
            && game.white().equals(GameTerms.player(event, Side.WHITE))
            && game.black().equals(GameTerms.player(event, Side.BLACK))
            && game.whiteLevel() == GameTerms.level(event, Side.WHITE)
            && game.blackLevel() == GameTerms.level(event, Side.BLACK);
    return isNamed ? Optional.empty() : Optional.of("is about another game");
  }

  private Optional<String> flawOfRelay(Event event) {
    ofPlayers.put(event.id(), event);
    List<String> relays = relays(event);
    if (relays.isEmpty() || relays.stream().anyMatch(connected)) {
      return Optional.empty();
    }
    byClaimedUrl++;
    return relays.stream().anyMatch(claimed)
        ? Optional.empty()
        : Optional.of("was signed for another relay");
  }

  private static List<String> relays(Event event) {
    return event.tags().values("relay").toList();
  }

  private Optional<String> flawOfGame(Event event) {
    boolean isEphemeral = event.kind() == ChessProtocol.EPHEMERAL;
    Optional<String> named = isEphemeral ? event.tags().first("d") : event.tags().root();
    if (named.isPresent() && !named.get().equals(game.id().hex())) {
      return Optional.of("was signed for another game");
    } else if (isEphemeral && event.tags().values("p").noneMatch(fetched.referee().hex()::equals)) {
      return Optional.of("was signed for another referee");
    }
    withoutGame += named.isPresent() ? 0 : 1;
    return Optional.empty();
  }

  // ---- arrival times

  /** The reason why the event cannot have arrived during the game; empty if it can. */
  private Optional<String> outsideGame(Event event) {
    if (event.createdAt() + skew < begin) {
      return Optional.of(signedAt(event) + ", before the game began");
    } else if (event.createdAt() - skew > end) {
      return Optional.of(signedAt(event) + ", after the game had ended");
    }
    return Optional.empty();
  }

  boolean canFollowLastMove(Side side, String what, Event event) {
    boolean mustPrecede = event.createdAt() + skew < lastMoves.getOrDefault(side, begin);
    return passes(
        what,
        event,
        mustPrecede
            ? Optional.of(signedAt(event) + ", before the move that it follows")
            : Optional.empty());
  }

  void addMove(Side side, Event event) {
    lastMoves.merge(side, event.createdAt() - skew, Math::max);
  }

  /** The earliest possible time of a side's last move, or of the start if it has not moved. */
  long earliestLastMove(Side side) {
    return Math.max(begin, lastMoves.getOrDefault(side, begin));
  }

  private static String signedAt(Event event) {
    return "was signed at " + event.createdAt();
  }
}
