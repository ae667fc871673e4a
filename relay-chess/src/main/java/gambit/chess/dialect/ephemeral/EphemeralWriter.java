package gambit.chess.dialect.ephemeral;

import gambit.chess.dialect.DialectWriter;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Notification;
import gambit.chess.dialect.RelayEvents;
import gambit.chess.dialect.Reply;
import gambit.chess.game.FinishedGame;
import gambit.chess.game.GameEvent;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.Proposal;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes the answers of kinds 20301 and 20304. Any thread. */
final class EphemeralWriter implements DialectWriter {
  private final RelayEvents relay;

  EphemeralWriter(RelayEvents relay) {
    this.relay = relay;
  }

  @Override
  public Reply granted(Event event, List<GameEvent> happened) {
    return Reply.accepted("", List.of());
  }

  @Override
  public Reply refused(Event event, Reason reason, @Nullable GameRef game, long now) {
    String author = event.pubkey().hex();
    if (event.kind() == Ephemeral.PLAY) {
      return Reply.accepted(
          "", List.of(answer(event.pubkey(), "error:" + reason.text(), List.of(), now)));
    }
    List<List<String>> tags = new ArrayList<>();
    tags.add(List.of("e", event.id().hex()));
    if (game != null) {
      tags.add(List.of("d", game.id().hex()));
    }
    tags.add(List.of("p", author));
    if (game != null) {
      tags.add(List.of("p", game.player(game.sideOf(event.pubkey()).opponent()).hex()));
    }
    Event error = relay.sign(Ephemeral.ERROR, tags, reason.text(), now);
    return Reply.accepted("", List.of(new Notification(error, null)));
  }

  @Override
  public Optional<Event> published(
      GameRef game, Event event, OngoingGame before, List<GameEvent> happened, long now) {
    return happened.get(0) instanceof GameEvent.Moved moved
        ? Optional.of(relay.move(game, before.plies() + 1, moved.move(), event, now))
        : Optional.empty();
  }

  @Override
  public List<String> evidence(Event event) {
    return RelayEvents.proof(event);
  }

  @Override
  public Reply searching(Event event, boolean already, long now) {
    return Reply.accepted("", List.of(answer(event.pubkey(), "queued", List.of(), now)));
  }

  @Override
  public List<Notification> searchResumed(PubKey player, long now) {
    return List.of(answer(player, "queued", List.of(), now));
  }

  @Override
  public List<Notification> notStarted(PubKey player, Reason reason, long now) {
    return List.of(answer(player, "error:" + reason.text(), List.of(), now));
  }

  /** This dialect has no invites. */
  @Override
  public List<Notification> inviteExpired(EventId invite, PubKey author, long now) {
    return List.of();
  }

  @Override
  public String colour(Side side) {
    return RelayEvents.colour(side);
  }

  @Override
  public List<Notification> started(GameRef game, Side side, long now) {
    String id = game.id().hex();
    List<List<String>> tags = List.of(List.of("d", id), List.of("color", RelayEvents.colour(side)));
    return List.of(answer(game.player(side), "started:" + id, tags, now));
  }

  @Override
  public Notification shown(GameRef game, OngoingGame playing, Side side, long now) {
    return new Notification(relay.state(game, playing, null).signed(), null);
  }

  @Override
  public List<Notification> proposed(
      GameRef game, Proposal.Type type, boolean published, long now) {
    return List.of();
  }

  /** The last state of the game, which contains the result. */
  @Override
  public Notification ended(GameRef game, FinishedGame over, Side side) {
    return new Notification(relay.state(game, over, null).signed(), null);
  }

  private Notification answer(PubKey player, String content, List<List<String>> more, long now) {
    List<List<String>> tags = new ArrayList<>();
    tags.add(List.of("p", player.hex()));
    tags.addAll(more);
    return new Notification(relay.sign(Ephemeral.ANSWER, tags, content, now), null);
  }
}
