package gambit.chess.session;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.JesterMessage;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.rules.LegalMove;
import gambit.chess.session.play.KnownGames;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.ConnectionListener;
import gambit.core.feature.EventHandler;
import gambit.core.feature.Submission;
import gambit.core.feature.SubscriptionListener;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Passes events and notifications to the {@link EventIntake}, which exists once this node leads: at
 * once without a cluster. On a follower, players' events are only claimed, so that the leader's
 * intake handles them; moves of players in turn are exempt from this node's limits. There,
 * notifications are dropped, since the leader gets them, too. Any thread.
 */
final class LeadingReferee implements EventHandler, ConnectionListener, SubscriptionListener {
  private final List<Dialect> dialects;
  private final KnownGames games;
  private final FinishedGames finished;
  private final Executor lane;
  private volatile boolean isListening;
  private volatile @Nullable EventIntake intake;

  LeadingReferee(List<Dialect> dialects, KnownGames games, FinishedGames finished, Executor lane) {
    this.dialects = dialects;
    this.games = games;
    this.finished = finished;
    this.lane = lane;
  }

  /**
   * This node begins to lead. The clocks of games start at once if clients are connected already,
   * else when they can connect. Called once; waits for nothing but the stored rows.
   *
   * @param factory creates the intake, given whether clients are connected already
   */
  void lead(Function<Boolean, EventIntake> factory) {
    boolean wasListening = isListening;
    EventIntake created = factory.apply(wasListening);
    intake = created;
    if (isListening && !wasListening) {
      lane.execute(created::open);
    }
  }

  boolean isLeading() {
    return intake != null;
  }

  /** Clients can connect: waits until the clocks of all games run, if this node leads. */
  void listening() {
    isListening = true;
    EventIntake leading = intake;
    if (leading != null) {
      CompletableFuture.runAsync(leading::open, lane).join();
    }
  }

  @Override
  public boolean takesImported(int kind) {
    return kind == JesterMessage.KIND || EventHandler.super.takesImported(kind);
  }

  @Override
  public Optional<ClaimedEvent> claim(Event event) {
    for (Dialect dialect : dialects) {
      if (dialect.isCandidate(event)) {
        return Optional.of(new ClaimedPlayerEvent(dialect, event));
      }
    }
    if (event.kind() == JesterMessage.KIND) {
      return Optional.of(submission -> leading().takeJester(submission));
    }
    EventIntake leading = intake;
    boolean isRemoval = event.kind() == Kind.DELETION || event.kind() == Kind.VANISH;
    return isRemoval && leading != null && leading.mayWithdraw(event.pubkey())
        ? Optional.of(leading::withdraw)
        : Optional.empty();
  }

  /**
   * A claimed event of a player. It is interpreted once, when it is first needed. Before the
   * signature is checked, that is needed only if the relay waits for a move of its author.
   */
  private final class ClaimedPlayerEvent implements ClaimedEvent {
    private final Dialect dialect;
    private final Event event;
    private @Nullable PlayerEvent interpreted;
    private @Nullable LegalMove legal; // at the leader
    private boolean isMoveInTurn; // at a follower, which knows no more

    private ClaimedPlayerEvent(Dialect dialect, Event event) {
      this.dialect = dialect;
      this.event = event;
    }

    private PlayerEvent interpreted() {
      if (interpreted == null) {
        interpreted = dialect.read(event);
      }
      return interpreted;
    }

    @Override
    public boolean isRequest() {
      return interpreted().isRequest();
    }

    @Override
    public boolean isAwaited() {
      if (isLeading()) {
        legal = games.awaited().legalMove(event.pubkey(), this::interpreted).orElse(null);
        return legal != null;
      }
      isMoveInTurn = games.awaited().isMoveInTurn(event.pubkey(), this::interpreted);
      return isMoveInTurn;
    }

    @Override
    public void forwarded(ClientConnection connection) {
      games.commentGuard().forwarded(event.pubkey(), connection);
      if (isMoveInTurn) {
        games.awaited().count(interpreted());
      }
    }

    @Override
    public void handle(Submission submission) {
      EventIntake leading = leading();
      Instant now = submission.arrivedAt();
      if (finished.isOld(event, now)
          && interpreted().isRequest()
          && finished.objection(interpreted(), now).isEmpty()) {
        submission.pass();
        return;
      }
      boolean isTaken =
          submission.awaited()
              && (legal != null || isAwaited()) // it may have come by a follower
              && games.awaited().count(interpreted());
      leading.handle(submission, interpreted(), legal, isTaken);
    }
  }

  private EventIntake leading() {
    EventIntake leading = intake;
    if (leading == null) {
      throw new IllegalStateException("a follower handles no events");
    }
    return leading;
  }

  @Override
  public void authenticated(ClientConnection connection, PubKey key) {
    ifLeading(leading -> leading.authenticated(connection, key));
  }

  private void ifLeading(Consumer<EventIntake> task) {
    Optional.ofNullable(intake).ifPresent(task);
  }

  @Override
  public void closed(ClientConnection connection) {
    games.commentGuard().closed(connection);
    ifLeading(leading -> leading.closed(connection));
  }

  @Override
  public boolean concernsLeader(ClientConnection connection, List<Filter> filters) {
    return games.concernLeader(connection, filters);
  }

  @Override
  public void subscribed(ClientConnection connection, List<Filter> filters) {
    ifLeading(leading -> leading.subscribed(connection, filters));
  }
}
