package gambit.app.tool.bot;

import gambit.app.tool.client.Backoff;
import gambit.app.tool.client.GameView;
import gambit.app.tool.client.ReceivedInvite;
import gambit.app.tool.client.RefusedException;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayInfo;
import gambit.chess.game.TimeControl;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The invites to a bot: each is accepted at once, waits, or is rejected. An invite waits until the
 * first connection, while the relay allows the bot no further game, and, for growing delays, after
 * an acceptance that the relay has not decided. Owned by the client's thread.
 */
final class BotInvites {
  /** Invites that wait; beyond that, the oldest is rejected. */
  static final int MAX_WAITING = 200;

  /** Ended games whose time control is known to a rematch. */
  private static final int MAX_ENDED = 500;

  /** The games that {@linkplain TimeControl#mayTakeHours may be slow}, as a part of all. */
  private static final int SLOW_GAMES_DIVISOR = 2;

  private final int maxGames;
  private final Supplier<Collection<GameView>> games;
  private final Function<ReceivedInvite, CompletableFuture<String>> acceptance;
  private final Consumer<ReceivedInvite> rejection;
  private final BiConsumer<Duration, Runnable> timer;
  private final Bot.LimitedRefusals refusals;

  /** Those whose game has not begun, oldest first, and whether the relay has confirmed them. */
  private final Map<ReceivedInvite, Boolean> accepted = new LinkedHashMap<>();

  private final Deque<ReceivedInvite> waiting = new ArrayDeque<>();
  private final Map<EventId, TimeControl> ended = new LinkedHashMap<>();
  private final Backoff backoff = Backoff.ofRefusals();
  private boolean isRetryScheduled;

  /** Whether waiting invites are accepted one after the other until the relay does not decide. */
  private boolean isRetrying;

  private boolean isConnected;
  private @Nullable TimeControl defaultTime;

  /** The results of acceptances are completed on the client's thread, on which the timer runs. */
  BotInvites(
      int maxGames,
      Supplier<Collection<GameView>> games,
      Function<ReceivedInvite, CompletableFuture<String>> acceptance,
      Consumer<ReceivedInvite> rejection,
      BiConsumer<Duration, Runnable> timer,
      Bot.LimitedRefusals refusals) {
    this.maxGames = maxGames;
    this.games = games;
    this.acceptance = acceptance;
    this.rejection = rejection;
    this.timer = timer;
    this.refusals = refusals;
  }

  void connected(RelayInfo relay) {
    defaultTime = TimeControl.parse(relay.defaultTime()).orElse(null);
    isConnected = true;
    accepted.values().removeIf(isConfirmed -> isConfirmed); // their games are among the resumed
    List<ReceivedInvite> all = new ArrayList<>(waiting);
    waiting.clear();
    all.forEach(this::received);
  }

  void received(ReceivedInvite invite) {
    if (!isConnected) {
      await(invite);
      return;
    }
    if (isFull() || (isSlow(invite) && isFullOfSlowGames())) {
      rejection.accept(invite);
      return;
    }
    accepted.put(invite, false);
    acceptance
        .apply(invite)
        .whenComplete(
            (ok, failure) -> {
              if (failure == null) {
                accepted.replace(invite, true);
                backoff.reset();
                if (isRetrying) {
                  considerNext();
                }
              } else {
                notAccepted(invite, failure);
              }
            });
  }

  private void notAccepted(ReceivedInvite invite, Throwable failure) {
    boolean isAwaited = accepted.remove(invite) != null;
    if (failure instanceof RelayFailure) {
      if (isAwaited) {
        await(invite); // unless its game has begun
      }
      considerLater();
    } else if (failure instanceof RefusedException refused) {
      if (refused.prefix().equals("rate-limited")) {
        reportRefusal(refused);
        await(invite);
        considerLater();
      } else if (refused.reason().startsWith("you are ")) {
        isRetrying = false;
        await(invite);
      } else {
        reportRefusal(refused);
        if (!refused.reason().startsWith("no such invite")) {
          rejection.accept(invite);
        }
        considerNext();
      }
    }
  }

  private void reportRefusal(RefusedException refused) {
    if (!refused.prefix().equals("invalid")) {
      refusals.refused("the acceptance of an invite", String.valueOf(refused.getMessage()));
    }
  }

  private void await(ReceivedInvite invite) {
    waiting.add(invite);
    if (waiting.size() > MAX_WAITING) {
      rejection.accept(waiting.remove());
    }
  }

  private void considerNext() {
    ReceivedInvite next = waiting.poll();
    if (next == null) {
      isRetrying = false;
    } else {
      received(next);
    }
  }

  /** The relay may decide the waiting invites after a time, although no game has ended. */
  private void considerLater() {
    isRetrying = false;
    if (!isRetryScheduled) {
      isRetryScheduled = true;
      timer.accept(
          backoff.next(),
          () -> {
            isRetryScheduled = false;
            isRetrying = true;
            considerNext();
          });
    }
  }

  /**
   * A game with a player has begun; returns the invite that led to it, if it is known, and forgets
   * it. Of several, it is the oldest whose acceptance the relay has confirmed.
   */
  Optional<ReceivedInvite> began(PubKey opponent) {
    Optional<ReceivedInvite> found =
        accepted.entrySet().stream()
            .filter(each -> each.getKey().author().equals(opponent))
            .min(Comparator.comparing(each -> !each.getValue()))
            .map(Map.Entry::getKey);
    if (found.isEmpty()) {
      found = waiting.stream().filter(each -> each.author().equals(opponent)).findFirst();
    }
    found.ifPresent(
        invite -> {
          accepted.remove(invite);
          waiting.remove(invite);
        });
    return found;
  }

  /** A game is no longer among the running ones: a waiting invite may take its place. */
  void ended(GameView game) {
    ended.put(game.id(), game.terms().time());
    if (ended.size() > MAX_ENDED) {
      ended.remove(ended.keySet().iterator().next());
    }
    considerNext();
  }

  // ---- slow games

  private boolean isFull() {
    return games.get().size() + accepted.size() >= maxGames;
  }

  boolean hasRoomForSlowGame() {
    return !isFull() && !isFullOfSlowGames();
  }

  private boolean isFullOfSlowGames() {
    long slow =
        games.get().stream().filter(game -> game.terms().time().mayTakeHours()).count()
            + accepted.keySet().stream().filter(this::isSlow).count();
    return slow > 0 && slow * SLOW_GAMES_DIVISOR >= maxGames;
  }

  /** Whether the game would be slow; true if its time control is not known. */
  private boolean isSlow(ReceivedInvite invite) {
    TimeControl time = invite.time();
    if (time == null) {
      EventId before = invite.rematchOf();
      time = before == null ? defaultTime : ended.get(before);
    }
    return time == null || time.mayTakeHours();
  }
}
