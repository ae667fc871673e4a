package gambit.chess.simulation;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Tags;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Compares the published lobby with the numbers of players and games, and with the committed
 * invites: when it is published, and when nothing is under way.
 */
final class LobbyChecker {
  private final ManualTime time;
  private final Map<String, DoubleSupplier> gauges;
  private @Nullable Tags last;

  LobbyChecker(ManualTime time, Map<String, DoubleSupplier> gauges) {
    this.time = time;
    this.gauges = gauges;
  }

  /**
   * The lobby was published.
   *
   * @param invites the committed ones
   */
  void published(Tags lobby, Map<EventId, Event> invites) {
    last = lobby;
    check(invites);
  }

  /** Nothing is under way. The lobby may lag until its next publication. */
  void quiet(Map<EventId, Event> invites) {
    if (!time.isSet(key -> key.getClass().getName().endsWith(".LobbyState$PublicationKey"))) {
      check(invites);
    }
  }

  void crashed() {
    last = null;
  }

  private void check(Map<EventId, Event> invites) {
    Tags lobby = last;
    InvariantChecker.check(
        lobby != null, Invariant.LOBBY_SHOWS_SEARCHES_AND_INVITES, "no lobby was published");
    int waiting = lobby.named("waiting").mapToInt(tag -> Integer.parseInt(tag.get(2))).sum();
    require(waiting == gauge("chess_searching"), lobby);
    require(Integer.parseInt(lobby.first("playing").orElseThrow()) == gauge("chess_games"), lobby);
    lobby.named("invite").forEach(tag -> require(isListedRightly(tag, invites), lobby));
  }

  private static boolean isListedRightly(List<String> tag, Map<EventId, Event> invites) {
    Event invite = invites.get(EventId.ofHex(tag.get(1)));
    return invite != null
        && invite.content().equals("invite")
        && tag.get(2).equals(invite.pubkey().hex())
        && tag.get(3).equals(invite.tags().first("time").orElse("1/600"))
        && tag.get(4).equals(invite.tags().first("color").orElse("random"))
        && invite.tags().first("rated").orElse("").equals("true")
            == (tag.size() == 10 && tag.get(7).equals("rated"))
        && invite.tags().first("p").isEmpty()
        && invite.tags().named("unlisted").findAny().isEmpty();
  }

  private double gauge(String name) {
    return gauges.get(name).getAsDouble();
  }

  private void require(boolean holds, Tags lobby) {
    InvariantChecker.check(
        holds,
        Invariant.LOBBY_SHOWS_SEARCHES_AND_INVITES,
        () ->
            "the lobby is "
                + lobby.list()
                + ", but "
                + gauge("chess_searching")
                + " search and there are "
                + gauge("chess_games")
                + " games");
  }
}
