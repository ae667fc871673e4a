package gambit.chess.session;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.dialect.jester.JesterMessage;
import gambit.chess.session.intake.EventIntake;
import gambit.chess.session.play.KnownGames;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.ConnectionListener;
import gambit.core.feature.EventHandler;
import gambit.core.feature.Submission;
import gambit.core.feature.SubscriptionListener;
import gambit.core.lane.Lane;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
  private final Lane lane;
  private volatile boolean isListening;
  private volatile @Nullable EventIntake intake;

  LeadingReferee(List<Dialect> dialects, KnownGames games, Lane lane) {
    this.dialects = dialects;
    this.games = games;
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
      lane.put(created::open);
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
      CompletableFuture<Void> opened = new CompletableFuture<>();
      lane.put(
          () -> {
            try {
              leading.open();
            } finally {
              opened.complete(null);
            }
          });
      opened.join();
    }
  }

  @Override
  public boolean takesImported(int kind) {
    return kind == JesterMessage.KIND || EventHandler.super.takesImported(kind);
  }

  @Override
  public Optional<ClaimedEvent> claim(Event event) {
    EventIntake leading = intake;
    if (leading != null) {
      return leading.claim(event);
    }
    if (event.kind() == JesterMessage.KIND) {
      return Optional.of(this::handle);
    }
    for (Dialect dialect : dialects) {
      if (dialect.isCandidate(event)) {
        return Optional.of(new FollowersClaim(dialect, event));
      }
    }
    return Optional.empty();
  }

  /** A player's event that the leader will handle. It is interpreted if its author plays. */
  private final class FollowersClaim implements ClaimedEvent {
    private final Dialect reader;
    private final Event event;
    private @Nullable PlayerEvent interpreted;
    private boolean isAwaited;

    private FollowersClaim(Dialect reader, Event event) {
      this.reader = reader;
      this.event = event;
    }

    private PlayerEvent interpreted() {
      if (interpreted == null) {
        interpreted = reader.read(event);
      }
      return interpreted;
    }

    @Override
    public boolean isRequest() {
      return interpreted().isRequest();
    }

    @Override
    public boolean isAwaited() {
      isAwaited = games.awaited().isMoveInTurn(event.pubkey(), this::interpreted);
      return isAwaited;
    }

    @Override
    public void forwarded(ClientConnection connection) {
      games.commentGuard().forwarded(event.pubkey(), connection);
      if (isAwaited) {
        games.awaited().count(interpreted());
      }
    }

    @Override
    public void handle(Submission submission) {
      LeadingReferee.this.handle(submission);
    }
  }

  /** Handles an event that was claimed before this node began to lead. */
  private void handle(Submission submission) {
    EventIntake leading = intake;
    if (leading == null) {
      throw new IllegalStateException("a follower handles no events");
    }
    leading
        .claim(submission.event())
        .ifPresentOrElse(claimed -> claimed.handle(submission), submission::pass);
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
