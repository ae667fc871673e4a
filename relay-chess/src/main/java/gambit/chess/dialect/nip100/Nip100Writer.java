package gambit.chess.dialect.nip100;

import gambit.chess.dialect.DialectWriter;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Notification;
import gambit.chess.dialect.RelayEvents;
import gambit.chess.dialect.Reply;
import gambit.chess.game.FinishedGame;
import gambit.chess.game.GameEvent;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.Proposal;
import gambit.chess.game.Result;
import gambit.chess.game.Termination;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes the answers and notifications of kinds 5000–5003. Any thread. */
final class Nip100Writer implements DialectWriter {
  private final RelayEvents relay;

  Nip100Writer(RelayEvents relay) {
    this.relay = relay;
  }

  @Override
  public Reply granted(Event event, List<GameEvent> happened) {
    return happened.isEmpty() ? accepted("") : answer(happened.get(0));
  }

  /** The answer by the first event of a step, which is the effect of the player's request. */
  private static Reply answer(GameEvent effect) {
    if (effect instanceof GameEvent.IllegalMove illegal) {
      String text = "illegal move " + illegal.move().uci() + " (" + illegal.count() + " of 2)";
      return Reply.refused(Reason.invalid(text));
    } else if (effect instanceof GameEvent.DrawOffered) {
      return accepted("offer");
    } else if (effect instanceof GameEvent.TakebackAsked) {
      return accepted("takeback");
    } else if (effect instanceof GameEvent.TakenBack) {
      return accepted("accept");
    } else if (effect instanceof GameEvent.DrawDeclined
        || effect instanceof GameEvent.TakebackDeclined) {
      return accepted("decline");
    } else if (effect instanceof GameEvent.Ended ended) {
      return accepted(
          switch (ended.termination()) {
            case AGREEMENT -> "accept";
            case THREEFOLD, FIFTYMOVES -> "claim";
            case RESIGNATION -> "resigned";
            default -> "";
          });
    }
    return accepted("");
  }

  private static Reply accepted(String word) {
    return Reply.accepted(word, List.of());
  }

  @Override
  public Reply refused(Event event, Reason reason, @Nullable GameRef game, long now) {
    return Reply.refused(reason);
  }

  @Override
  public Optional<Event> published(
      GameRef game, Event event, OngoingGame before, List<GameEvent> happened, long now) {
    boolean counted = happened.get(0) instanceof GameEvent.IllegalMove;
    return event.kind() == Nip100.LOBBY || counted ? Optional.empty() : Optional.of(event);
  }

  @Override
  public List<String> evidence(Event event) {
    return List.of("ending", event.id().hex());
  }

  @Override
  public Reply searching(Event event, boolean already, long now) {
    return already ? Reply.duplicate(Reason.duplicate("already searching")) : accepted("");
  }

  @Override
  public List<Notification> searchResumed(PubKey player, long now) {
    return List.of();
  }

  @Override
  public List<Notification> notStarted(PubKey player, Reason reason, long now) {
    return List.of();
  }

  @Override
  public List<Notification> inviteExpired(EventId invite, PubKey author, long now) {
    List<List<String>> tags = List.of(List.of("e", invite.hex()), List.of("p", author.hex()));
    Event expired = relay.sign(Nip100.LOBBY, tags, "inviteexpired", now);
    return List.of(new Notification(expired, Nip100.LOBBY));
  }

  @Override
  public String colour(Side side) {
    return RelayEvents.colour(side);
  }

  @Override
  public List<Notification> started(GameRef game, Side side, long now) {
    return List.of();
  }

  @Override
  public Notification shown(GameRef game, OngoingGame playing, Side side, long now) {
    List<List<String>> tags = RelayEvents.about(game);
    tags.add(List.of("time", playing.control().text()));
    tags.add(List.of("fen", playing.position().fen()));
    tags.add(List.of("moves", playing.moves().toString()));
    if (!playing.control().isUntimed()) {
      tags.add(
          List.of(
              "clock",
              "" + playing.clock().at(Side.WHITE, now),
              "" + playing.clock().at(Side.BLACK, now)));
    }
    Event found = relay.sign(Nip100.LOBBY, tags, RelayEvents.GAME_IS_FOUND, now);
    return new Notification(found, Nip100.LOBBY);
  }

  @Override
  public List<Notification> proposed(
      GameRef game, Proposal.Type type, boolean published, long now) {
    if (type == Proposal.Type.DRAW) {
      return List.of(new Notification(drawEvent(game, "offersent", now), Nip100.DRAW));
    }
    return published
        ? List.of()
        : List.of(new Notification(drawEvent(game, "takeback", now), null));
  }

  private Event drawEvent(GameRef game, String word, long now) {
    return relay.sign(Nip100.DRAW, RelayEvents.about(game), word, now);
  }

  @Override
  public Notification ended(GameRef game, FinishedGame over, Side side) {
    List<List<String>> tags = RelayEvents.aboutEnd(game, over);
    Event end = relay.sign(Nip100.LOBBY, tags, ending(over, side), over.endedAt());
    return new Notification(end, Nip100.LOBBY);
  }

  private static String ending(FinishedGame over, Side side) {
    if (over.termination() == Termination.CHECKMATE) {
      return "gamecheckmate";
    } else if (over.result() == Result.DRAW) {
      return "gamedraw";
    } else if (over.result() == Result.NONE) {
      return "gameaborted";
    }
    return over.result() == Result.winFor(side) ? "opponentresigned" : "gamelost";
  }
}
