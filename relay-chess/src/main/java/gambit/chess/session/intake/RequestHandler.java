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
import gambit.chess.session.runtime.Bindings;
import gambit.chess.session.runtime.ColourAnswers;
import gambit.chess.session.runtime.PlayerRequest;
import gambit.chess.session.runtime.ReceivedEvent;
import gambit.chess.session.runtime.SeenEvents;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the events that have come to the chess lane: decides whether one may have an effect here
 * and now, and hands its request to the lobby or to a game. The chess lane's only.
 */
final class RequestHandler {
  private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);
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
   * @param open runs before each event: a client may be faster than the relay's notification that
   *     it listens
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

  /** Handles a deletion or a request to vanish, whose author may withdraw invites by it. */
  void withdraw(Submission submission) {
    whenNotBusy(submission, () -> withdrawNow(submission));
  }

  private void withdrawNow(Submission submission) {
    Event event = submission.event();
    PubKey player = event.pubkey();
    if (event.kind() == Kind.DELETION) {
      event.tags().named("e").forEach(tag -> deleted(player, tag));
      submission.pass();
    } else {
      submission.pass();
      matchmaking.invites().vanished(player, event.createdAt());
    }
  }

  private void deleted(PubKey author, List<String> tag) {
    if (tag.size() > 1 && Hex.isLowerCase(tag.get(1), 64)) {
      matchmaking.invites().deleted(author, EventId.ofHex(tag.get(1)));
    }
  }

  /**
   * Runs a task when nothing is being committed for the event's author; an event that meets a bug
   * is answered, and no other event is affected.
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
      context.tell(submission.refused(Reason.error("the event could not be handled")));
    }
  }

  /** Handles an event by what it asks for. */
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
      return admit() && act(content.request());
    }

    private boolean act(Request content) {
      Bindings.Voice before = context.bindings().voice(player, submission.connection());
      PlayerRequest request = new PlayerRequest(received, content, before);
      if (isBound || event.bindingRule() == PlayerEvent.BindingRule.BINDS) {
        RequestHandler.this.act(request);
      } else {
        actUnbound(request);
      }
      return true;
    }

    @Override
    public Boolean mistyped(PlayerEvent.Content.Mistyped content) {
      context.tell(submission.refused(content.hint()));
      return false;
    }

    @Override
    public Boolean malformed(PlayerEvent.Content.Malformed content) {
      boolean plays = games.of(player) != null || matchmaking.searching().contains(player);
      if (event.dialect().traits().has(Trait.SHARES_ITS_KINDS) && !(isBound && plays)) {
        submission.pass();
      } else if (admit()) {
        GameSession game = games.of(player);
        GameRef ref = game == null || isForAnother(event, game) ? null : game.ref();
        context.refuse(submission, event.dialect(), content.fault(), ref);
      }
      return false;
    }

    /** Whether the event may have an effect here and now; answers it if not. */
    private boolean admit() {
      EventId id = event.event().id();
      Optional<SeenEvents.Ruling> earlier =
          isBound ? context.seen().of(id) : context.seen().ofUnbound(id);
      if (earlier.isPresent()) {
        context.tell(again(submission, earlier.get()));
      } else if (admission.lacksLogin(submission)) {
        context.tell(submission.refused(Reason.authRequired("players have to log in here")));
      } else if (!isBound && event.bindingRule() == PlayerEvent.BindingRule.REQUIRES_BOUND) {
        // forgotten: else a stranger could spoil the event
        context.tell(submission.refused(unbound(event.dialect())));
      } else {
        Optional<Reason> objection = admission.objection(submission);
        objection.ifPresent(reason -> context.refuse(submission, reason));
        return objection.isEmpty();
      }
      return false;
    }
  }

  private Reason unbound(Dialect dialect) {
    String entry = dialect.traits().entry();
    return takesLogins ? Reason.authRequired(entry) : Reason.restricted(entry);
  }

  /** The answer to an event that was ruled on before: no second effect. */
  private Outgoing again(Submission submission, SeenEvents.Ruling ruling) {
    if (ruling.refusal().isPresent()) {
      return submission.refused(ruling.refusal().get());
    }
    ColourAnswers search = ruling.search();
    return search == null || matchmaking.searching().isCurrent(submission.event().pubkey(), search)
        ? submission.duplicate(Reason.duplicate("already handled"))
        : submission.refused(Reason.invalid("already used, sign a new event"));
  }

  /**
   * Lets a player come back to a running game whose seat speaks the event's dialect. Whoever has
   * captured the event may have sent it: it has an effect on no game but the one it was meant for,
   * and none on a search.
   */
  private void actUnbound(PlayerRequest request) {
    GameSession game = games.of(request.player());
    boolean playsOtherwise =
        game == null
            ? matchmaking.searching().contains(request.player())
            : game.ref().dialect(game.sideOf(request.player())) != request.dialect();
    Optional<Reason> doubt =
        game == null
            ? Optional.empty()
            : request.interpreted().state().doubtful(game.game(), game::isCurrent);
    if (playsOtherwise) {
      context.refuse(request, Reason.invalid(request.dialect().traits().entry()));
    } else if (doubt.isPresent()) {
      context.refuse(request, doubt.get());
    } else {
      act(request);
    }
  }

  private void act(PlayerRequest request) {
    GameSession game = games.of(request.player());
    if (isForAnother(request.interpreted(), game)) {
      refuse(request, ANOTHER_GAME);
    } else if (request.interpreted().bindingRule() == PlayerEvent.BindingRule.BINDS
        && context.seen().isFull()) {
      context.tell(request.submission().refused(Reception.BUSY));
    } else {
      grant(request, game);
    }
  }

  /** Whether the event names a game that is not the author's. */
  private static boolean isForAnother(PlayerEvent event, @Nullable GameSession game) {
    Optional<String> named = event.game();
    return named.isPresent() && (game == null || !named.get().equals(game.id().hex()));
  }

  private void grant(PlayerRequest request, @Nullable GameSession game) {
    if (!request.request().accept(new Granting(request, game))) {
      refuse(request, NO_GAME);
    }
  }

  /** Hands a request to whoever grants it; false when it needs a game and there is none. */
  private final class Granting implements RequestVisitor<Boolean> {
    private final PlayerRequest request;
    private final @Nullable GameSession game;

    private Granting(PlayerRequest request, @Nullable GameSession game) {
      this.request = request;
      this.game = game;
    }

    @Override
    public Boolean connect(Request.Connect connect) {
      matchmaking.searching().connect(request, connect);
      return true;
    }

    @Override
    public Boolean cancelSearch(Request.CancelSearch cancel) {
      matchmaking.searching().cancelSearch(request);
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

    /** Leaves the queue or a game that was just found, else resigns. */
    @Override
    public Boolean quit(Request.Quit quit) {
      return matchmaking.searching().quit(request) || inGame(quit);
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

  /** Refuses what is about no game that its author plays; tells how it ended if it just has. */
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
