package gambit.app.tool.sync;

import gambit.app.tool.client.ReceivedMessage;
import gambit.app.tool.client.RecentIds;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayLimits;
import gambit.app.tool.client.RelaySession;
import gambit.app.tool.sync.MoveCounts.Fate;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Moves events from one relay to the other: requests them, publishes them, and counts the answers.
 * Bounded are the events requested, held and unanswered, and the bytes held, beyond which the
 * source is not read. Owned by the pair's thread.
 */
final class EventMover {
  /** Fewer than this relay takes from a connection, as probably others do. */
  private static final int MAX_UNANSWERED = 200;

  private static final int MAX_HELD = 250;
  private static final long MAX_HELD_BYTES = 4 << 20;

  /** Live events held; beyond it, they are left to the next comparison. */
  private static final int MAX_LIVE_EVENTS = 1000;

  /** Times in a row that the target answers none of the events sent, after which it is given up. */
  private static final int MAX_SILENCES = 3;

  private static final int MAX_PAUSES = 10;
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(15);
  private static final Set<Integer> CHESS_COMMANDS = Set.of(5000, 5001, 5002, 5003);

  /** The events of chess, which may have to wait for another event of their game. */
  private static final Set<Integer> CHESS_KINDS = Set.of(64, 5000, 5001, 5002, 5003);

  /** A move of kind 30, which the peer has no reason to refuse: its author is at fault. */
  private static final int FOREIGN_MOVE = 30;

  private static final int MAX_INVALID = 10_000;
  private static final int MAX_RETRIED = 100_000;

  /** Events of older games are not waited for, since they may never have a record. */
  private static final long LONGEST_GAME_SECONDS = 30L * 86_400;

  private record Retried(String reason, long createdAt) {}

  private final RelayPair pair;
  private final RelaySession source;
  private final RelaySession target;
  final boolean isWanted;
  private final Pace pace;
  final MoveCounts counts;
  private final RecentIds refusedBefore;
  private final EventRequests requests;
  private final Map<EventId, Retried> retried = new LinkedHashMap<>();

  private final Deque<Event> held = new ArrayDeque<>();
  private long heldBytes;
  private int silences;
  private long answers;
  private boolean hasMissedLive;
  private @Nullable RelayFailure failure;

  /** A rate of 0 is no limit; what the target has refused before is not sent again. */
  EventMover(
      RelayPair pair,
      RelaySession source,
      RelaySession target,
      boolean isWanted,
      int rate,
      MoveCounts counts,
      RecentIds refusedBefore) {
    this.pair = pair;
    this.source = source;
    this.target = target;
    this.isWanted = isWanted;
    this.pace = new Pace(rate, System::nanoTime);
    this.counts = counts;
    this.refusedBefore = refusedBefore;
    this.requests = new EventRequests(source, counts, this::take);
  }

  /** An event that the target lacks; false if it was added or refused before. */
  boolean add(EventId id) {
    boolean isNew = isWanted && !refusedBefore.contains(id) && requests.add(id);
    if (isNew) {
      counts.add(Fate.LACKED, 1);
    }
    return isNew;
  }

  /** A whole event that the target may lack. The caller calls {@link #moveAll} often. */
  void add(Event event) {
    if (isWanted && !refusedBefore.contains(event.id())) {
      counts.add(Fate.LACKED, 1);
      take(event);
    }
  }

  /**
   * An event that the target may lack, which the source has just received; see {@link
   * #hasMissedLive}. The commands of chess are left to the comparison after the game: another relay
   * could obey them.
   */
  void addLive(Event event) {
    if (Kind.isEphemeral(event.kind()) || CHESS_COMMANDS.contains(event.kind())) {
      return;
    }
    if (held.size() >= MAX_LIVE_EVENTS || heldBytes > MAX_HELD_BYTES) {
      hasMissedLive = true;
    } else {
      add(event);
    }
  }

  /** Whether live events were dropped since the last call, because the target is too slow. */
  boolean hasMissedLive() {
    boolean missed = hasMissedLive;
    hasMissedLive = false;
    return missed;
  }

  boolean isIdle() {
    return requests.isIdle() && held.isEmpty() && target.unanswered() == 0;
  }

  void moveAll() throws RelayFailure {
    moveUntil(this::isIdle);
  }

  /** Moves until at most that many events wait to be requested, and the source is read. */
  void moveDownTo(int maxWaiting) throws RelayFailure {
    moveUntil(() -> requests.wanted.size() <= maxWaiting && heldBytes <= MAX_HELD_BYTES);
    advance();
  }

  private void moveUntil(BooleanSupplier isEnough) throws RelayFailure {
    long lastProgress = System.nanoTime();
    long answersBefore = answers();
    while (!isEnough.getAsBoolean()) {
      boolean isSent = advance();
      pair.step(isSent ? Duration.ZERO : untilNext());
      boolean isPaused = !held.isEmpty() && !pace.delay().isZero();
      if (isSent || isPaused || answers() != answersBefore) {
        lastProgress = System.nanoTime();
        answersBefore = answers();
      } else if (System.nanoTime() - lastProgress > pair.answerTimeout(awaited()).toNanos()) {
        endSilence();
        lastProgress = System.nanoTime();
      }
    }
  }

  void awaitAnswers() throws RelayFailure {
    long deadline = System.nanoTime() + LAST_ANSWERS.toNanos();
    while (target.unanswered() > 0 && System.nanoTime() - deadline < 0) {
      pair.step(Duration.ofMillis(100));
    }
  }

  /** Messages that a relay has sent because of this mover, unlike notices. */
  private long answers() {
    return answers + requests.answers;
  }

  private RelaySession awaited() {
    return target.unanswered() == 0 ? source : target;
  }

  /** Goes on without the answers to events, which a relay need not send, unless it sends none. */
  private void endSilence() throws RelayFailure {
    if (awaited() == source) {
      throw new RelayFailure(source.name() + " does not answer.");
    }
    int inARow = silences + 1;
    target.refuseUnanswered(); // which is an answer
    silences = inARow;
    if (silences > MAX_SILENCES) {
      throw new RelayFailure(target.name() + " does not answer.");
    }
  }

  /** Moves the refused events of chess once more, as long as that makes further ones possible. */
  void retryRefused() throws RelayFailure {
    int refused = 0;
    while (!retried.isEmpty() && retried.size() != refused) {
      refused = retried.size();
      retried.keySet().forEach(requests::add);
      retried.clear();
      moveAll();
    }
    retried.values().forEach(this::leave);
    retried.clear();
  }

  private void refuse(Event event, String reason) {
    Retried refused = new Retried(reason, event.createdAt());
    if (!CHESS_KINDS.contains(event.kind())) {
      refuseForGood(event, reason);
    } else if (retried.size() < MAX_RETRIED) {
      retried.put(event.id(), refused);
    } else {
      leave(refused);
    }
  }

  /** An event is not moved again, unless it was refused because of an error. */
  private void refuseForGood(Event event, String reason) {
    counts.refuse(reason, reason.startsWith("invalid:") && event.kind() != FOREIGN_MOVE);
    if (reason.startsWith("error:")) {
      counts.leave(event.createdAt());
    } else {
      refusedBefore.add(event.id());
    }
  }

  /** Leaves an event to a later synchronization: the record of its game may exist by then. */
  private void leave(Retried event) {
    counts.refuse(event.reason);
    if (event.createdAt > Instant.now().getEpochSecond() - LONGEST_GAME_SECONDS) {
      counts.leave(event.createdAt);
    }
  }

  /** Requests and publishes what the bounds allow now; false if nothing was sent. */
  boolean advance() throws RelayFailure {
    if (failure != null) {
      throw failure;
    } else if (counts.get(Fate.INVALID) > MAX_INVALID) {
      throw new RelayFailure(source.name() + " has too many invalid events.");
    }
    boolean isSent = false;
    while (held.size() < MAX_HELD && requests.sendNext()) {
      isSent = true;
    }
    while (!held.isEmpty() && target.unanswered() < MAX_UNANSWERED && pace.delay().isZero()) {
      Event event = held.remove();
      heldBytes -= event.json().length;
      pace.sent();
      target.publish(event, (isAccepted, text) -> answered(event, isAccepted, text));
      isSent = true;
    }
    requests.hold(heldBytes > MAX_HELD_BYTES);
    return isSent;
  }

  /** The time after which {@link #advance} may have more to do, if nothing arrives. */
  Duration untilNext() {
    Duration delay = pace.delay();
    return held.isEmpty() || delay.isZero() || delay.compareTo(Duration.ofSeconds(1)) > 0
        ? Duration.ofSeconds(1)
        : delay;
  }

  private void take(Event event) {
    if (Kind.isEphemeral(event.kind())) {
      counts.refuse("ephemeral");
    } else if (event.tags().list().stream().anyMatch(tag -> tag.get(0).equals("-"))) {
      refuseForGood(event, "protected by its author (NIP-70)");
    } else if (!target.reads(event)) {
      refuseForGood(event, "too long for a message");
    } else {
      hold(event);
    }
  }

  private void hold(Event event) {
    held.add(event);
    heldBytes += event.json().length;
  }

  private void answered(Event event, boolean isAccepted, String text) {
    silences = 0;
    answers++;
    if (isAccepted) {
      pace.accepted();
      if (text.startsWith("duplicate:")) {
        counts.add(Fate.KNOWN, 1);
      } else {
        counts.add(Fate.STORED, 1);
      }
    } else if (text.startsWith("rate-limited:")
        || (text.startsWith("auth-required:") && target.hasKey())) {
      if (pace.pause() > MAX_PAUSES) {
        failure = new RelayFailure(target.name() + " takes no more events: " + text);
      }
      hold(event);
    } else {
      refuse(event, text);
    }
  }

  /** When the next event may be sent: at a rate, and after pauses. Confined to one thread. */
  static final class Pace {
    private static final Duration MAX_PAUSE = Duration.ofMinutes(1);
    private static final long NANOS = 1_000_000_000;

    private final long nanosOfAnEvent;
    private final LongSupplier nanoTime;
    private long nextNanos;
    private int pauses;

    Pace(int eventsPerSecond, LongSupplier nanoTime) {
      this.nanosOfAnEvent = eventsPerSecond == 0 ? 0 : NANOS / eventsPerSecond;
      this.nanoTime = nanoTime;
      this.nextNanos = nanoTime.getAsLong();
    }

    Duration delay() {
      return Duration.ofNanos(Math.max(0, nextNanos - nanoTime.getAsLong()));
    }

    /** An event is sent. Of the time before, at most a tenth of a second is made up for. */
    void sent() {
      nextNanos = Math.max(nextNanos, nanoTime.getAsLong() - NANOS / 10) + nanosOfAnEvent;
    }

    void accepted() {
      pauses = 0;
    }

    /** Events come too fast: a pause, which doubles with each time in a row; their number. */
    int pause() {
      long pause = Math.min(MAX_PAUSE.toNanos(), NANOS << Math.min(pauses, 10));
      boolean isFirst = delay().compareTo(Duration.ofMillis(500)) < 0;
      if (isFirst) { // the answers to events that were sent before count once
        nextNanos = nanoTime.getAsLong() + pause;
        pauses++;
      }
      return pauses;
    }
  }

  /**
   * Requests the events of one relay by their ids, batch after batch. What is not served is
   * requested again, unless nothing of a batch is served. Owned by the pair's thread.
   */
  private static final class EventRequests implements RelaySession.Handler {
    private static final int IDS_OF_A_REQUEST = 250;
    private static final int BYTES_OF_AN_ID = "\"\",".length() + 64;
    private static final int BYTES_WITHOUT_IDS =
        "[\"REQ\",\"sync-2147483647\",{\"ids\":[],\"limit\":250}]".length();

    /** Requests in a row of which nothing is served, after which the source is given up. */
    private static final int MAX_EMPTY_REQUESTS = 8;

    private static final int MAX_UNREQUESTED = 1000;

    private final RelaySession source;
    private final MoveCounts counts;
    private final Consumer<Event> receiver;
    private final int maxIds;
    private final Set<EventId> wanted = new LinkedHashSet<>();

    /** The request that is on its way; empty if there is none. */
    private String request = "";

    private int size;
    private final Set<EventId> missing = new HashSet<>();
    private int emptyRequests;
    private int unrequested;
    private long answers;

    EventRequests(RelaySession source, MoveCounts counts, Consumer<Event> receiver) {
      this.source = source;
      this.counts = counts;
      this.receiver = receiver;
      RelayLimits limits = source.limits();
      int fitting = (limits.messageBytes() - BYTES_WITHOUT_IDS) / BYTES_OF_AN_ID;
      maxIds = Math.max(1, Math.min(IDS_OF_A_REQUEST, Math.min(fitting, limits.events())));
    }

    boolean add(EventId id) {
      return wanted.add(id);
    }

    boolean isIdle() {
      return wanted.isEmpty() && request.isEmpty();
    }

    /** Does not read the source, or reads it again, while a request is on its way. */
    void hold(boolean held) {
      if (!request.isEmpty()) {
        source.hold(held);
      }
    }

    /** Sends the next request; false if there is nothing to request, or one is on its way. */
    boolean sendNext() {
      if (!request.isEmpty() || wanted.isEmpty()) {
        return false;
      }
      missing.clear();
      for (var next = wanted.iterator(); next.hasNext() && missing.size() < maxIds; ) {
        missing.add(next.next());
        next.remove();
      }
      size = missing.size();
      String ids = missing.stream().map(EventId::hex).collect(Collectors.joining("\",\""));
      request = source.subscribe("{\"ids\":[\"" + ids + "\"],\"limit\":" + size + "}", this);
      return true;
    }

    @Override
    public void received(ReceivedMessage message) throws RelayFailure {
      switch (message.verb()) {
        case "EVENT" -> deliver(message.event());
        case "EOSE" -> {
          source.unsubscribe(request);
          end();
        }
        case "CLOSED" -> {
          source.unregister(request);
          if (!message.text(2).startsWith("rate-limited:")) {
            throw new RelayFailure(source.name() + " refused a query: " + message.text(2));
          }
          end();
        }
        default -> {}
      }
    }

    private void deliver(Optional<Event> event) throws RelayFailure {
      if (event.isEmpty() || !missing.remove(event.get().id())) {
        if (++unrequested > MAX_UNREQUESTED) {
          throw new RelayFailure(source.name() + " sends events that were not requested.");
        }
      } else {
        answers++;
        receiver.accept(event.get());
      }
    }

    /** Requests the rest again, since relays limit the events of a query; not if none has come. */
    private void end() throws RelayFailure {
      answers++;
      request = "";
      source.hold(false);
      if (missing.size() < size) {
        emptyRequests = 0;
        wanted.addAll(missing);
        return;
      }
      counts.add(Fate.UNDELIVERED, size);
      if (++emptyRequests >= MAX_EMPTY_REQUESTS) {
        throw new RelayFailure(
            source.name() + " does not serve the events that it claims to have.");
      }
    }
  }
}
