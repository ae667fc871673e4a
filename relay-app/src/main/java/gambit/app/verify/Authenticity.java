package gambit.app.verify;

import gambit.app.client.ReceivedEvent;
import gambit.chess.rules.Side;
import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.RelayUrls;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whose word an event is, and whether it was given for this game: id, signature and author, the
 * tags that narrow it, and that none is used twice. What is wrong goes to the findings. One thread.
 */
final class Authenticity {
  private final Announcement announcement;
  private final Timeline timeline;
  private final RelayUrls found;
  private final RelayUrls relay;
  private final EventVerifier verifier;
  private final Findings findings;
  private final Set<EventId> used = new HashSet<>();
  private int unnamed;
  private int elsewhere;

  /**
   * Prepares to look at one game's events.
   *
   * @param timeline when its events can have arrived
   * @param found the URLs where the relay was found
   * @param relay the URLs by which it is known: those, and the one by which it calls itself
   */
  Authenticity(
      Announcement announcement,
      Timeline timeline,
      RelayUrls found,
      RelayUrls relay,
      EventVerifier verifier,
      Findings findings) {
    this.announcement = announcement;
    this.timeline = timeline;
    this.found = found;
    this.relay = relay;
    this.verifier = verifier;
    this.findings = findings;
  }

  /** What keeps an event from being its author's, if anything does. */
  static Optional<String> forgery(Event event, EventVerifier verifier) {
    if (!verifier.hasValidId(event)) {
      return Optional.of("has an id that is not its hash");
    } else if (!verifier.hasValidSignature(event)) {
      return Optional.of("is not signed by the key that it names");
    }
    return Optional.empty();
  }

  /** How many of the players' events that held do not say for which game they were meant. */
  int unnamed() {
    return unnamed;
  }

  /** How many of them name the relay by what it calls itself, and not by where it was found. */
  int elsewhere() {
    return elsewhere;
  }

  /** An event of the relay about this game, and about these players. */
  boolean isRelays(String what, Event event) {
    return holds(what, event, flaw(event, announcement.relay()).or(() -> otherGame(event)));
  }

  /** An event of a player, which this game may count. */
  boolean isPlayers(PubKey player, String what, Event event) {
    Optional<String> flaw = flaw(event, player);
    if (flaw.isEmpty()) {
      flaw =
          otherRelay(event)
              .or(
                  () ->
                      event.kind() == Protocol.EPHEMERAL ? elsewhereByD(event) : elsewhere(event));
    }
    return holds(what, event, flaw);
  }

  /** The event of a player of the ephemeral dialect that a {@code proof} tag holds. */
  Optional<Event> proof(PubKey player, String what, String json) {
    Optional<Event> event = ReceivedEvent.read(json).filter(it -> it.kind() == Protocol.EPHEMERAL);
    if (event.isEmpty()) {
      findings.wrong(what + ": the proof is no event of kind " + Protocol.EPHEMERAL);
    }
    return event.filter(it -> isPlayers(player, what, it) && isUnused(what, it));
  }

  /** One event stands for one thing only. */
  boolean isUnused(String what, Event event) {
    return holds(
        what, event, used.add(event.id()) ? Optional.empty() : Optional.of("is used twice"));
  }

  /** Whether the event can have arrived after the last move of a side. */
  boolean follows(Side side, String what, Event event) {
    return holds(what, event, timeline.before(side, event));
  }

  private boolean holds(String what, Event event, Optional<String> flaw) {
    flaw.ifPresent(words -> findings.wrong(what + ": the event " + event.id() + " " + words));
    return flaw.isEmpty();
  }

  private Optional<String> flaw(Event event, PubKey author) {
    if (!event.pubkey().equals(author)) {
      return Optional.of("is signed by " + event.pubkey() + ", not by " + author);
    } else if (Protocol.isJob(event)) {
      return Optional.of("has a tag of a NIP-90 job, so it is not chess");
    }
    return forgery(event, verifier).or(() -> timeline.outside(event));
  }

  private Optional<String> otherGame(Event event) {
    String game = announcement.game().hex();
    boolean named =
        Protocol.namedGame(event).equals(Optional.of(game))
            && event.tags().named("e").allMatch(tag -> tag.size() > 1 && tag.get(1).equals(game));
    return named && announcement.namesPlayers(event)
        ? Optional.empty()
        : Optional.of("is about another game");
  }

  private Optional<String> otherRelay(Event event) {
    List<String> relays =
        event.tags().named(Protocol.RELAY).map(tag -> tag.size() > 1 ? tag.get(1) : "").toList();
    if (relays.isEmpty() || relays.stream().anyMatch(found::contains)) {
      return Optional.empty();
    }
    elsewhere++;
    return relays.stream().anyMatch(relay::contains)
        ? Optional.empty()
        : Optional.of("was signed for another relay");
  }

  private Optional<String> elsewhere(Event event) {
    Optional<String> game = Protocol.namedGame(event);
    if (game.isPresent() && !game.get().equals(announcement.game().hex())) {
      return Optional.of("was signed for another game");
    }
    unnamed += game.isPresent() ? 0 : 1;
    return Optional.empty();
  }

  private Optional<String> elsewhereByD(Event event) {
    Optional<String> game = event.tags().first("d");
    boolean addressed =
        event
            .tags()
            .named("p")
            .anyMatch(tag -> tag.size() > 1 && tag.get(1).equals(announcement.relay().hex()));
    if (game.isPresent() && !game.get().equals(announcement.game().hex())) {
      return Optional.of("was signed for another game");
    } else if (!addressed) {
      return Optional.of("was signed for another referee");
    }
    unnamed += game.isPresent() ? 0 : 1;
    return Optional.empty();
  }
}
