package gambit.chess.session;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.Dialect.Trait;
import gambit.chess.dialect.JesterMessage;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.dialect.Request;
import gambit.chess.rules.LegalMove;
import gambit.chess.session.jester.JesterGames;
import gambit.chess.session.play.ColourNotifications;
import gambit.chess.session.play.ConnectionBindings.BindingState;
import gambit.chess.session.play.GameSession;
import gambit.chess.session.play.Games;
import gambit.chess.session.play.PlayerRequest;
import gambit.chess.session.play.Reminders;
import gambit.chess.session.play.SeenEvents;
import gambit.chess.session.play.SessionContext;
import gambit.core.feature.EventHandler;
import gambit.core.feature.Outgoing;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.Submission;
import gambit.core.log.LimitedLog;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Handles players' events on the chess lane: decides whether an event may have an effect, and hands
 * its request to a search, an invite or a game.
 *
 * @param open runs before each event, since a client's event may come before the notification that
 *     the port is open
 */
record RequestHandler(
    SessionContext context,
    RelayBuilder relay,
    Games games,
    Searches searches,
    Invites invites,
    Rematches rematches,
    Reminders reminders,
    JesterGames jester,
    Runnable open) {
  private static final LimitedLog LOG = LimitedLog.of(RequestHandler.class);
  private static final Reason NO_GAME = Reason.invalid("no game in progress");
  private static final Reason ANOTHER_GAME = Reason.invalid("this event is for another game");

  /** The maximum of ids in the refusal of an event that names none of several games. */
  private static final int MAX_NAMED_GAMES = 3;

  private static final String RELAY = "relay";

  void handle(Submission submission, PlayerEvent event, @Nullable LegalMove legal) {
    whenNotBusy(submission, () -> handleByContent(submission, event, legal));
  }

  /** Handles an event of kind 30, which any connection may send. */
  void takeJester(Submission submission, JesterMessage message) {
    whenNotBusy(submission, () -> jester.take(submission, message));
  }

  void withdraw(Submission submission) {
    whenNotBusy(submission, () -> withdrawNow(submission));
  }

  private void withdrawNow(Submission submission) {
    Event event = submission.event();
    PubKey player = event.pubkey();
    if (event.kind() == Kind.DELETION) {
      event
          .tags()
          .values("e")
          .filter(id -> Hex.isLowerCase(id, 64))
          .map(EventId::ofHex)
          .forEach(
              id -> {
                invites.deleted(player, id);
                jester.deleted(player, id);
              });
      submission.pass();
    } else {
      submission.pass();
      invites.vanished(player, event.createdAt());
      jester.vanished(player);
    }
  }

  /**
   * Runs a task when no commit for the event's author is pending. If it fails by a bug, the event
   * is answered, and other events are not affected.
   */
  private void whenNotBusy(Submission submission, Runnable task) {
    PubKey author = submission.event().pubkey();
    try {
      open.run();
      if (context.busyPlayers().contains(author)) {
        context.busyPlayers().await(author, () -> whenNotBusy(submission, task));
      } else {
        task.run();
      }
    } catch (RuntimeException e) {
      LOG.error("Event {} could not be handled; this is a bug", submission.event().id().hex(), e);
      context.send(submission.refused(Reason.error("the event could not be handled")));
    }
  }

  private void handleByContent(
      Submission submission, PlayerEvent event, @Nullable LegalMove legal) {
    PubKey player = event.event().pubkey();
    BindingState before = context.bindings().stateOf(player, submission.connection());
    boolean isBound = before.isBound();
    if (event.request() instanceof Request.Mistyped mistyped) {
      context.send(submission.refused(mistyped.fault()));
    } else if (event.request() instanceof Request.Malformed malformed) {
      refuseMalformed(submission, event, malformed.fault(), isBound);
    } else if (admit(submission, event, isBound)) {
      PlayerRequest request = new PlayerRequest(submission, event, legal, before);
      if (isBound || event.bindingRule() == PlayerEvent.BindingRule.BINDS) {
        handleRequest(request);
      } else {
        handleUnbound(request);
      }
    }
  }

  private void refuseMalformed(
      Submission submission, PlayerEvent event, Reason fault, boolean isBound) {
    PubKey player = event.event().pubkey();
    List<GameSession> own = games.of(player);
    boolean plays = !own.isEmpty() || searches.queues().contains(player);
    if (event.dialect().has(Trait.SHARES_ITS_KINDS) && !(isBound && plays)) {
      submission.pass();
    } else if (admit(submission, event, isBound)) {
      GameSession game = GameSession.about(own, event);
      context.refuse(submission, event.dialect(), fault, game == null ? null : game.ref());
    }
  }

  /** Whether an event may have an effect; answers it if not. */
  private boolean admit(Submission submission, PlayerEvent event, boolean isBound) {
    EventId id = event.event().id();
    Optional<SeenEvents.EarlierAnswer> earlier =
        isBound ? context.seen().of(id) : context.seen().ofUnbound(id);
    Optional<Reason> lackOfLogin = lackOfLogin(submission);
    if (earlier.isPresent()) {
      context.send(repeatedAnswer(submission, earlier.get()));
    } else if (lackOfLogin.isPresent()) {
      context.send(submission.refused(lackOfLogin.get())); // it may come again after a login
    } else if (!isBound && event.bindingRule() == PlayerEvent.BindingRule.REQUIRES_BOUND) {
      // not remembered: else a stranger could use up the event
      String entry = event.dialect().entry();
      context.send(
          submission.refused(
              relay.takesLogins() ? Reason.authRequired(entry) : Reason.restricted(entry)));
    } else {
      Optional<Reason> objection = objection(submission);
      objection.ifPresent(reason -> context.refuse(submission, reason));
      return objection.isEmpty();
    }
    return false;
  }

  /**
   * Why the author of an event would have to log in over its connection, if so. Another relay can
   * forward an event without a relay tag; it has no effect while its author is logged in over a
   * connection of their own, to any node of a cluster.
   */
  private Optional<Reason> lackOfLogin(Submission submission) {
    PubKey author = submission.event().pubkey();
    if (submission.connection().keys().contains(author)) {
      return Optional.empty();
    } else if (context.settings().requireAuth()) {
      return Optional.of(Reason.authRequired("players have to log in here"));
    }
    return !submission.event().tags().has(RELAY)
            && context.bindings().of(author).stream().anyMatch(it -> it.keys().contains(author))
        ? Optional.of(Reason.authRequired("another connection of this player is logged in"))
        : Optional.empty();
  }

  /**
   * The objection to an event that is not meant for this relay and this time: a captured event has
   * no effect elsewhere or later.
   */
  private Optional<Reason> objection(Submission submission) {
    Event event = submission.event();
    long maxSkew = context.settings().maxClockSkew().toSeconds();
    long skew = Math.abs(event.createdAt() - submission.arrivedAt().getEpochSecond());
    if (skew > maxSkew) {
      return Optional.of(
          Reason.invalid("created_at is more than " + maxSkew + " s from the relay's clock"));
    } else if (!event.tags().has(RELAY)) {
      return context.settings().requireRelayTag()
          ? Optional.of(Reason.invalid("name this relay in a relay tag"))
          : Optional.empty();
    }
    return event.tags().values(RELAY).anyMatch(relay.urls()::contains)
        ? Optional.empty()
        : Optional.of(Reason.invalid("this event is for another relay"));
  }

  private Outgoing repeatedAnswer(Submission submission, SeenEvents.EarlierAnswer answer) {
    if (answer.refusal().isPresent()) {
      return submission.refused(answer.refusal().get());
    }
    ColourNotifications search = answer.search();
    return search == null || searches.isCurrent(submission.event().pubkey(), search)
        ? submission.duplicate(EventHandler.ALREADY_HANDLED)
        : submission.refused(Reason.invalid("already used, sign a new event"));
  }

  /**
   * Resumes a running game whose seat uses the event's dialect, over an unbound connection. Anybody
   * who has captured the event may have sent it, so it has an effect only on the game for which it
   * was written, and none on a search.
   */
  private void handleUnbound(PlayerRequest request) {
    List<GameSession> own = games.of(request.player());
    GameSession game = gameOf(request, own);
    List<GameSession> possible = game == null ? own : List.of(game);
    boolean playsElsewhere =
        (game == null && searches.queues().contains(request.player()))
            || (!possible.isEmpty()
                && possible.stream()
                    .map(it -> it.ref().dialect(it.sideOf(request.player())))
                    .noneMatch(request.dialect()::equals));
    Optional<Reason> objection =
        game == null
            ? Optional.empty()
            : request.interpreted().state().objectionIfUnbound(game.game(), game::isCurrent);
    if (playsElsewhere) {
      context.refuse(request, Reason.invalid(request.dialect().entry()));
    } else if (objection.isPresent()) {
      context.refuse(request, objection.get());
    } else {
      handleRequest(request);
    }
  }

  private void handleRequest(PlayerRequest request) {
    Optional<String> named = request.interpreted().game();
    List<GameSession> own = games.of(request.player());
    GameSession game = gameOf(request, own);
    if (named.isPresent() && game == null) {
      refuse(request, ANOTHER_GAME);
    } else if (request.interpreted().bindingRule() == PlayerEvent.BindingRule.BINDS
        && !context.seen().countSearch(owners(request))) {
      context.send(request.submission().refused(EventIntake.BUSY));
    } else if (!dispatch(request, game)) {
      refuse(request, own.isEmpty() ? NO_GAME : whichOf(own, request.dialect()));
    }
  }

  private static Reason whichOf(List<GameSession> own, Dialect dialect) {
    String ids =
        own.stream()
            .limit(MAX_NAMED_GAMES)
            .map(game -> game.id().hex())
            .collect(Collectors.joining(", "));
    return Reason.invalid("name the game in " + dialect.gameTag() + ": " + ids);
  }

  /** The game that a request is about, or null if there is none, or if it may be another one. */
  private @Nullable GameSession gameOf(PlayerRequest request, List<GameSession> own) {
    PlayerEvent event = request.interpreted();
    GameSession game = GameSession.about(own, event);
    return game == null
            || event.game().isPresent()
            || event.state().isNamed(game::isCurrent)
            || !mayConcernOther(request, game, own.size() > 1)
        ? game
        : null;
  }

  /**
   * Whether a request that names no game may be about a search, or another game than the one it
   * would be taken for: one that has just ended, or that the player had before the live one began.
   */
  private boolean mayConcernOther(PlayerRequest request, GameSession game, boolean isOneOfSeveral) {
    PlayerEvent event = request.interpreted();
    boolean isForAnyState = event.state().objection(game.game(), game::isCurrent).isEmpty();
    if (isOneOfSeveral && isForAnyState && event.state().isNamed(state -> true)) {
      return true;
    }
    boolean endsSearch = event.request().endsSearch();
    if (!game.ref().isSlow()) {
      boolean isOlder = event.event().createdAt() < game.game().startedAt() / 1000;
      return isOneOfSeveral && isOlder && !endsSearch;
    }
    return (endsSearch && searches.queues().contains(request.player()))
        || rematches.hasJustEnded(request.player());
  }

  private static Set<Object> owners(PlayerRequest request) {
    Set<Object> owners = new HashSet<>(request.submission().connection().owners());
    owners.add(request.player());
    return owners;
  }

  /**
   * Hands a request to where it belongs; false if it needs a game, and there is none or it names
   * none of several.
   */
  private boolean dispatch(PlayerRequest request, @Nullable GameSession game) {
    Request content = request.interpreted().request();
    if (content instanceof Request.Quit && searches.quit(request, game)) {
      return true; // else it resigns
    } else if (content instanceof Request.InGame command) {
      if (game == null) {
        return false;
      }
      games.command(request, command, game);
    } else if (content instanceof Request.Connect connect) {
      searches.connect(request, connect);
    } else if (content instanceof Request.CancelSearch) {
      searches.cancelSearch(request, game);
    } else if (content instanceof Request.Invite invite) {
      invites.invite(request, invite);
    } else if (content instanceof Request.AcceptInvite acceptance) {
      invites.accept(request, acceptance);
    } else if (content instanceof Request.RejectInvite rejection) {
      invites.reject(request, rejection);
    } else if (content instanceof Request.Rematch rematch) {
      rematches.rematch(request, rematch);
    } else if (content instanceof Request.StopReminders stop) {
      reminders.stop(request, stop);
    } else if (content instanceof Request.MalformedTag malformed) {
      context.refuse(request, malformed.fault());
    } else {
      throw new IllegalStateException("unknown request " + content);
    }
    return true;
  }

  /**
   * Refuses a request without a running game; the reason names the end of one that has just ended.
   */
  private void refuse(PlayerRequest request, Reason reason) {
    Optional<Rematches.LastGame> ended =
        rematches.endedGame(request.player(), request.interpreted().game());
    context.refuse(
        request.submission(),
        request.dialect(),
        ended.map(it -> Reason.invalid("the game is over: " + it.how())).orElse(reason),
        ended.map(Rematches.LastGame::ref).orElse(null));
  }
}
