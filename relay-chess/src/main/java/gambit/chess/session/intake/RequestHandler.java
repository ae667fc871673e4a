package gambit.chess.session.intake;

import gambit.chess.dialect.ContentVisitor;
import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.DialectTraits.Trait;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.dialect.Request;
import gambit.chess.dialect.RequestVisitor;
import gambit.chess.session.lobby.Matchmaking;
import gambit.chess.session.lobby.Rematches;
import gambit.chess.session.play.GameSession;
import gambit.chess.session.play.Games;
import gambit.chess.session.play.PlayerGames;
import gambit.chess.session.runtime.ColourNotifications;
import gambit.chess.session.runtime.ConnectionBindings;
import gambit.chess.session.runtime.PlayerRequest;
import gambit.chess.session.runtime.ReceivedEvent;
import gambit.chess.session.runtime.SeenEvents;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.EventHandler;
import gambit.core.feature.Outgoing;
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
import org.jspecify.annotations.Nullable;

/**
 * Handles players' events on the chess lane: decides whether an event may have an effect, and hands
 * its request to matchmaking or to a game.
 */
final class RequestHandler {
  private static final LimitedLog LOG = LimitedLog.of(RequestHandler.class);
  private static final Reason NO_GAME = Reason.invalid("no game in progress");
  private static final Reason ANOTHER_GAME = Reason.invalid("this event is for another game");

  private final SessionContext context;
  private final Admission admission;
  private final Games games;
  private final Matchmaking matchmaking;
  private final boolean takesLogins;
  private final Runnable open;

  /**
   * Handles events.
   *
   * @param takesLogins whether clients can log in (NIP-42)
   * @param open runs before each event, since a client's event may come before the notification
   *     that the port is open
   */
  RequestHandler(
      SessionContext context,
      Admission admission,
      Games games,
      Matchmaking matchmaking,
      boolean takesLogins,
      Runnable open) {
    this.context = context;
    this.admission = admission;
    this.games = games;
    this.matchmaking = matchmaking;
    this.takesLogins = takesLogins;
    this.open = open;
  }

  /** Handles a player's event. */
  void handle(ReceivedEvent received) {
    whenNotBusy(
        received.submission(),
        () -> received.interpreted().content().accept(new ContentHandler(received)));
  }

  /** Handles a deletion or a request to vanish, which may withdraw its author's invites. */
  void withdraw(Submission submission) {
    whenNotBusy(submission, () -> withdrawNow(submission));
  }

  private void withdrawNow(Submission submission) {
    Event event = submission.event();
    PubKey player = event.pubkey();
    if (event.kind() == Kind.DELETION) {
      event.tags().values("e").forEach(id -> deleted(player, id));
      submission.pass();
    } else {
      submission.pass();
      matchmaking.invites().vanished(player, event.createdAt());
    }
  }

  private void deleted(PubKey author, String id) {
    if (Hex.isLowerCase(id, 64)) {
      matchmaking.invites().deleted(author, EventId.ofHex(id));
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
      if (context.inboxes().isBusy(author)) {
        context.inboxes().await(author, () -> whenNotBusy(submission, task));
      } else {
        task.run();
      }
    } catch (RuntimeException e) {
      LOG.error("Event {} could not be handled; this is a bug", submission.event().id().hex(), e);
      context.send(submission.refused(Reason.error("the event could not be handled")));
    }
  }

  /** Handles an event by its content. */
  private final class ContentHandler implements ContentVisitor<Boolean> {
    private final ReceivedEvent received;
    private final Submission submission;
    private final PlayerEvent event;
    private final PubKey player;
    private final boolean isBound;

    private ContentHandler(ReceivedEvent received) {
      this.received = received;
      this.submission = received.submission();
      this.event = received.interpreted();
      this.player = event.event().pubkey();
      this.isBound = context.bindings().isBound(player, submission.connection());
    }

    @Override
    public Boolean asks(PlayerEvent.Content.Asks content) {
      return admit() && handleRequest(content.request());
    }

    private boolean handleRequest(Request content) {
      ConnectionBindings.BindingState before =
          context.bindings().stateOf(player, submission.connection());
      PlayerRequest request = new PlayerRequest(received, content, before);
      if (isBound || event.bindingRule() == PlayerEvent.BindingRule.BINDS) {
        RequestHandler.this.handleRequest(request);
      } else {
        handleUnbound(request);
      }
      return true;
    }

    @Override
    public Boolean mistyped(PlayerEvent.Content.Mistyped content) {
      context.send(submission.refused(content.hint()));
      return false;
    }

    @Override
    public Boolean malformed(PlayerEvent.Content.Malformed content) {
      PlayerGames own = games.of(player);
      boolean plays = !own.isEmpty() || matchmaking.searches().contains(player);
      if (event.dialect().traits().has(Trait.SHARES_ITS_KINDS) && !(isBound && plays)) {
        submission.pass();
      } else if (admit()) {
        GameSession game = own.about(event.game());
        GameRef ref = game == null ? null : game.ref();
        context.refuse(submission, event.dialect(), content.fault(), ref);
      }
      return false;
    }

    /** Whether the event may have an effect; answers it if not. */
    private boolean admit() {
      EventId id = event.event().id();
      Optional<SeenEvents.EarlierAnswer> earlier =
          isBound ? context.seen().of(id) : context.seen().ofUnbound(id);
      Optional<Reason> lackOfLogin =
          admission.lackOfLogin(submission, context.bindings().of(player));
      if (earlier.isPresent()) {
        context.send(repeatedAnswer(submission, earlier.get()));
      } else if (lackOfLogin.isPresent()) {
        context.send(submission.refused(lackOfLogin.get())); // it may come again after a login
      } else if (!isBound && event.bindingRule() == PlayerEvent.BindingRule.REQUIRES_BOUND) {
        // not remembered: else a stranger could use up the event
        context.send(submission.refused(requiresBinding(event.dialect())));
      } else {
        Optional<Reason> objection = admission.objection(submission);
        objection.ifPresent(reason -> context.refuse(submission, reason));
        return objection.isEmpty();
      }
      return false;
    }
  }

  private Reason requiresBinding(Dialect dialect) {
    String entry = dialect.traits().entry();
    return takesLogins ? Reason.authRequired(entry) : Reason.restricted(entry);
  }

  /** The answer to an event that was answered before. */
  private Outgoing repeatedAnswer(Submission submission, SeenEvents.EarlierAnswer answer) {
    if (answer.refusal().isPresent()) {
      return submission.refused(answer.refusal().get());
    }
    ColourNotifications search = answer.search();
    return search == null || matchmaking.searches().isCurrent(submission.event().pubkey(), search)
        ? submission.duplicate(EventHandler.ALREADY_HANDLED)
        : submission.refused(Reason.invalid("already used, sign a new event"));
  }

  /**
   * Resumes a running game whose seat uses the event's dialect, over an unbound connection. Anybody
   * who has captured the event may have sent it, so it has an effect only on the game for which it
   * was written, and none on a search.
   */
  private void handleUnbound(PlayerRequest request) {
    PlayerGames own = games.of(request.player());
    GameSession game = own.about(request.interpreted().game());
    List<GameSession> possible = game == null ? own.all() : List.of(game);
    boolean playsElsewhere =
        possible.isEmpty()
            ? matchmaking.searches().contains(request.player())
            : possible.stream().noneMatch(it -> usesDialectOf(it, request));
    Optional<Reason> objection =
        game == null
            ? Optional.empty()
            : request.interpreted().state().objectionIfUnbound(game.game(), game::isCurrent);
    if (playsElsewhere) {
      context.refuse(request, Reason.invalid(request.dialect().traits().entry()));
    } else if (objection.isPresent()) {
      context.refuse(request, objection.get());
    } else {
      handleRequest(request);
    }
  }

  /** Whether the seat of a request's author uses the dialect of the request. */
  private static boolean usesDialectOf(GameSession game, PlayerRequest request) {
    return game.ref().dialect(game.sideOf(request.player())) == request.dialect();
  }

  private void handleRequest(PlayerRequest request) {
    Optional<String> named = request.interpreted().game();
    PlayerGames own = games.of(request.player());
    GameSession game = own.about(named);
    if (named.isPresent() && game == null) {
      refuse(request, ANOTHER_GAME);
    } else if (request.interpreted().bindingRule() == PlayerEvent.BindingRule.BINDS
        && (context.seen().isFull() || !context.seen().countSearch(owners(request)))) {
      context.send(request.submission().refused(EventIntake.BUSY));
    } else if (!request.request().accept(new Dispatch(request, game))) {
      refuse(request, own.isEmpty() ? NO_GAME : nameTheGame(request));
    }
  }

  private static Set<Object> owners(PlayerRequest request) {
    Set<Object> owners = new HashSet<>(request.submission().connection().owners());
    owners.add(request.player());
    return owners;
  }

  /** The refusal of a request that could be about any of the player's games. */
  private static Reason nameTheGame(PlayerRequest request) {
    return Reason.invalid("name the game in " + request.dialect().traits().gameTag());
  }

  /**
   * Hands a request to matchmaking or to the game; false if it needs a game, and there is none or
   * it names none of several.
   */
  private final class Dispatch implements RequestVisitor<Boolean> {
    private final PlayerRequest request;
    private final @Nullable GameSession game;

    private Dispatch(PlayerRequest request, @Nullable GameSession game) {
      this.request = request;
      this.game = game;
    }

    @Override
    public Boolean connect(Request.Connect connect) {
      matchmaking.searches().connect(request, connect);
      return true;
    }

    @Override
    public Boolean cancelSearch(Request.CancelSearch cancel) {
      matchmaking.searches().cancelSearch(request, game);
      return true;
    }

    @Override
    public Boolean invite(Request.Invite invite) {
      matchmaking.invites().invite(request, invite);
      return true;
    }

    @Override
    public Boolean acceptInvite(Request.AcceptInvite acceptance) {
      matchmaking.invites().accept(request, acceptance, it -> handle(it.received()));
      return true;
    }

    @Override
    public Boolean rejectInvite(Request.RejectInvite rejection) {
      matchmaking.invites().reject(request, rejection, it -> handle(it.received()));
      return true;
    }

    @Override
    public Boolean rematch(Request.Rematch rematch) {
      matchmaking.rematches().rematch(request, rematch, it -> handle(it.received()));
      return true;
    }

    @Override
    public Boolean malformedTag(Request.MalformedTag malformed) {
      context.refuse(request, malformed.fault());
      return true;
    }

    /** Ends the search or the game that it has just led to, else resigns. */
    @Override
    public Boolean quit(Request.Quit quit) {
      return matchmaking.searches().quit(request, game) || inGame(quit);
    }

    @Override
    public Boolean inGame(Request.InGame command) {
      if (game == null) {
        return false;
      }
      games.command(request, command, game);
      return true;
    }
  }

  /**
   * Refuses a request without a running game; the reason names the end of one that has just ended.
   */
  private void refuse(PlayerRequest request, Reason reason) {
    Optional<Rematches.EndedGame> ended =
        matchmaking.rematches().endedGame(request.player(), request.interpreted().game());
    context.refuse(
        request.submission(),
        request.dialect(),
        ended.map(it -> Reason.invalid("the game is over: " + it.how())).orElse(reason),
        ended.map(Rematches.EndedGame::ref).orElse(null));
  }
}
