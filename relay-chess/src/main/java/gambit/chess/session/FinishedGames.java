package gambit.chess.session;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.session.play.KnownGames;
import gambit.core.feature.StoredEvents;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes the moves, offers and resignations of games that are over and of which this relay has
 * the first event and the record, whichever relay has refereed them. Such events are stored as
 * ordinary events, without effect. Any other could be a command of a game that still runs
 * somewhere. While the author plays here, none is recognized: the opponent's client would take an
 * old move for one of their game, since in the draft a move need not name its game. Beside slow
 * games, which may never end, those that name theirs are. Thread-safe.
 *
 * @param maxClockSkew the age from which on an event has no effect on a running game
 */
record FinishedGames(
    StoredEvents stored, Duration maxClockSkew, Function<PubKey, Set<GameRef>> running) {
  private static final List<String> NAMING_TAGS = List.of("plies", "ending");

  /** The most records looked at. A game has one; more are of relays that share a key. */
  private static final int MAX_RECORDS = 64;

  /**
   * The number of events looked at for the game of an event that names none: the events that
   * mention its author, last before it. Players who play several games at once have to name them.
   */
  private static final int MAX_MENTIONS = 16;

  private static final Reason TOO_NEW =
      Reason.blocked("this event is new enough to be a command of a running game");
  private static final Reason UNKNOWN_GAME =
      Reason.blocked("no finished game with this event is stored here, with its record");

  private static final Reason NAMES_OTHERS =
      Reason.blocked("an event of a finished game has no e tag but that game's");

  private static final Reason AUTHOR_PLAYS =
      Reason.blocked("no finished game's events are taken while their author plays here");

  boolean isOld(Event event, Instant now) {
    return event.createdAt() < now.getEpochSecond() - maxClockSkew.toSeconds();
  }

  /** Why an event is none of a finished game; nothing if it is one. */
  Optional<Reason> objection(PlayerEvent interpreted, Instant now) {
    Event event = interpreted.event();
    if (interpreted.bindingRule() != PlayerEvent.BindingRule.REQUIRES_BOUND) {
      return Optional.of(Reason.blocked("requests to play are not stored"));
    } else if (!isOld(event, now)) {
      return Optional.of(TOO_NEW);
    }
    Optional<String> named = interpreted.game();
    if (running.apply(event.pubkey()).stream().anyMatch(it -> named.isEmpty() || !it.isSlow())) {
      return Optional.of(AUTHOR_PLAYS);
    }
    if (event.tags().named("e").count() != named.stream().count()) {
      return Optional.of(NAMES_OTHERS); // it would be found with the events of another game
    }
    boolean isOfGame = isOver(gamesOf(event, named, null), event, named.isPresent());
    return isOfGame ? Optional.empty() : Optional.of(UNKNOWN_GAME);
  }

  /**
   * Whether a referee's record names a player's event, or may come to name it, because its author
   * has a running game.
   */
  boolean isEvidence(Event event, PubKey referee) {
    return !running.apply(event.pubkey()).isEmpty()
        || isOver(gamesOf(event, event.tags().root(), Set.of(referee)), event, false);
  }

  /**
   * The first events of the games that an event's author plays in or referees: the named one, or
   * those that began before the event, newest first; of any referee if {@code referees} is null.
   */
  private List<Event> gamesOf(Event event, Optional<String> named, @Nullable Set<PubKey> referees) {
    PubKey author = event.pubkey();
    Filter mentions =
        new Filter(
            null,
            referees,
            Set.of(RefereeEvents.FOUND_KIND),
            Map.of('p', Set.of(author.hex())),
            null,
            event.createdAt() + maxClockSkew.toSeconds(),
            null);
    Stream<Event> games =
        named.isPresent()
            ? KnownGames.firstEvent(stored, named.get()).stream()
            : stored.find(mentions, MAX_MENTIONS).stream().filter(RefereeEvents::isFirstOfGame);
    return games
        .filter(it -> referees == null || referees.contains(it.pubkey()))
        .filter(
            it ->
                it.pubkey().equals(author) || it.tags().values("p").anyMatch(author.hex()::equals))
        .toList();
  }

  /**
   * Whether one of some games is over and has an event. One query finds the records of all.
   *
   * @param games the first events of games of the event's author
   * @param isNamed whether the event names the game; if not, a record must name the event
   */
  private boolean isOver(List<Event> games, Event event, boolean isNamed) {
    if (games.isEmpty()) {
      return false;
    }
    Filter records =
        Filter.of(
            games.stream().map(Event::pubkey).collect(Collectors.toSet()),
            Set.of(RefereeEvents.RECORD_KIND),
            Map.of('e', games.stream().map(game -> game.id().hex()).collect(Collectors.toSet())));
    return stored.find(records, MAX_RECORDS).stream()
        .filter(record -> isNamed || names(record, event.id().hex()))
        .anyMatch(
            record ->
                games.stream()
                    .filter(game -> game.pubkey().equals(record.pubkey()))
                    .anyMatch(game -> record.tags().values("e").anyMatch(game.id().hex()::equals)));
  }

  private static boolean names(Event record, String id) {
    return NAMING_TAGS.stream()
        .flatMap(record.tags()::named)
        .anyMatch(tag -> tag.subList(1, tag.size()).contains(id));
  }
}
