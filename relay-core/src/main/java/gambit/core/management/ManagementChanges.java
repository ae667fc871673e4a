package gambit.core.management;

import gambit.core.feature.Commit;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import gambit.core.lane.Lane;
import gambit.core.management.AuditLog.AuditEntry;
import gambit.core.management.Call.CallRefused;
import gambit.core.management.Call.Caller;
import gambit.core.management.Decisions.ModerationDecision;
import gambit.core.management.Decisions.Text;
import gambit.core.management.Decisions.Verdict;
import gambit.core.management.MemberEvents.Due;
import gambit.core.management.RowMap.Change;
import gambit.core.model.EventId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes decisions and texts: each change is in force from the moment in which it is queued for
 * the writer, so that no event is stored after it in spite of it, and is undone if the commit
 * fails. The commit has the entry of the audit log, too. Each method waits for its commit, at most
 * {@link #OUTCOME_TIMEOUT}. On the lane of management.
 *
 * <p>The changes of a cluster's other nodes, and those of this node while it follows, come into
 * force in the order of the cluster's log. On the writer's thread.
 */
final class ManagementChanges {
  private static final Logger LOG = LoggerFactory.getLogger(ManagementChanges.class);

  /**
   * A cluster without a leader for so long is a failure that the caller should know of. Two calls
   * wait for less than a shutdown may take.
   */
  private static final Duration OUTCOME_TIMEOUT = Duration.ofSeconds(4);

  /** After this time a list can be dated in the present that could not be. */
  private static final Duration LATER = Duration.ofSeconds(10);

  private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);

  private final RelayBuilder relay;
  private final Decisions decisions;
  private final AuditLog audit;
  private final MemberEvents memberEvents;
  private final Lane lane;
  private final AtomicBoolean isPublishing = new AtomicBoolean(); // queued on the lane
  private volatile boolean leads;
  private volatile boolean isOpen;

  record InForce(Decisions decisions, Members members, AuditLog audit) {}

  /** Begins to follow the cluster's rows, with the entries of the audit log that others add. */
  ManagementChanges(
      RelayBuilder relay,
      InForce inForce,
      MemberEvents memberEvents,
      Lane lane,
      Consumer<AuditEntry> addedElsewhere) {
    this.relay = relay;
    this.decisions = inForce.decisions();
    this.audit = inForce.audit();
    this.memberEvents = memberEvents;
    this.lane = lane;
    relay.whenOpen(
        () -> {
          isOpen = true;
          publishSoon();
        });
    relay.whenLeading(
        () -> {
          leads = true;
          publishSoon();
        });
    relay.listenToRows(Decisions.TABLE, rows -> rows.forEach(this::changedElsewhere));
    relay.listenToRows(
        Members.TABLE,
        rows -> {
          rows.forEach(inForce.members()::changed);
          publishSoon();
        });
    relay.listenToRows(
        AuditLog.TABLE,
        rows ->
            rows.forEach(
                (key, row) ->
                    Optional.ofNullable(audit.changed(key, row)).ifPresent(addedElsewhere)));
  }

  private void changedElsewhere(String key, Optional<byte[]> row) {
    if (decisions.texts.changed(key, row) != null) {
      relay.informationChanged();
    }
    Subject subject = decisions.bySubject.changed(key, row);
    if (subject != null) {
      disconnectIfBanned(subject);
    }
  }

  private void disconnectIfBanned(Subject subject) {
    if (subject instanceof Subject.Address blocked && decisions.isBanned(subject)) {
      relay.disconnect(blocked.address()::equals);
    }
  }

  /** Puts a decision in force; the commit of a ban of an event erases the event. */
  void decide(Call call, Subject subject, Verdict verdict) throws CallRefused {
    if (decisions.bySubject.values().size() >= Decisions.MAX && !decisions.has(subject)) {
      throw new CallRefused(
          "there are " + Decisions.MAX + " decisions already, which is the most; lift some");
    }
    boolean erases = verdict == Verdict.BANNED && subject instanceof Subject.OneEvent;
    commit(
        call,
        subject.text(),
        call.reason(),
        List.of(
            decisions.bySubject.change(
                subject, new ModerationDecision(verdict, now(), call.by().name(), call.reason()))),
        erases ? List.of(((Subject.OneEvent) subject).id()) : List.of());
    disconnectIfBanned(subject);
  }

  void lift(Call call, Subject subject) throws CallRefused {
    if (!decisions.has(subject)) {
      throw new CallRefused("there is no decision on " + subject.text());
    }
    change(call, subject.text(), call.reason(), List.of(decisions.bySubject.change(subject, null)));
  }

  /** Sets a text of NIP-11; an empty one puts that of the settings in force again. */
  void setText(Call call, String field, String text) throws CallRefused {
    Text value = text.isEmpty() ? null : new Text(text);
    change(call, field, text, List.of(decisions.texts.change(field, value)));
    relay.informationChanged();
  }

  void change(Call call, String target, String reason, List<Change<?, ?>> changes)
      throws CallRefused {
    commit(call, target, reason, changes, List.of());
  }

  long now() {
    return relay.time().instant().getEpochSecond();
  }

  private void commit(
      Call call, String target, String reason, List<Change<?, ?>> changes, List<EventId> erased)
      throws CallRefused {
    Caller by = call.by();
    Due due = memberEvents.due(changes);
    List<Change<?, ?>> all = new ArrayList<>(changes);
    all.addAll(
        audit.add(new AuditEntry(now(), by.name(), call.method(), target, reason, by.login())));
    store(all, due, erased);
    publishRest(due);
    LOG.info("Management: {} by {}: {}", call.method(), by.name(), target);
  }

  /**
   * Has the lane publish the relay's events on its members that are missing, as after a start or a
   * reload that closes the relay to others, or remove them once it is open; if it cannot, it tries
   * again. Any thread.
   */
  void publishSoon() {
    if (!isPublishing.getAndSet(true)) {
      lane.put(
          () -> {
            isPublishing.set(false);
            publishMemberEvents();
          });
    }
  }

  private void publishMemberEvents() {
    if (!leads || !isOpen) {
      return;
    }
    try {
      Due due = memberEvents.due();
      if (!due.events().isEmpty() || !due.withdrawn().isEmpty()) {
        store(List.of(), due, List.of());
      }
      publishRest(due);
    } catch (CallRefused e) {
      LOG.warn("The events on members could not be published: {}", e.getMessage());
      publishLater(AFTER_FAILURE);
    }
  }

  private void publishRest(Due due) {
    if (!due.isComplete()) {
      publishLater(LATER);
    }
  }

  private void publishLater(Duration delay) {
    relay.deadlines().set(this, delay, this::publishSoon);
  }

  /**
   * Commits changes, and undoes them unless they were stored in time; they may still come into
   * force. A follower's come into force by their rows, in the order of the cluster's log.
   */
  private void store(List<Change<?, ?>> changes, Due due, List<EventId> erased) throws CallRefused {
    List<Runnable> undos = changes.stream().map(Change::apply).toList();
    CompletableFuture<WriteOutcome> settled = new CompletableFuture<>();
    AtomicBoolean isUndone = new AtomicBoolean();
    List<Row> rows = changes.stream().map(Change::row).toList();
    boolean isQueued =
        relay
            .publisher()
            .store(
                new Commit(due.events(), due.withdrawn(), erased, rows),
                outcome -> outcome == WriteOutcome.STORED ? due.output() : List.of(),
                outcome -> {
                  synchronized (settled) { // before or after what is undone, not meanwhile
                    if (outcome == WriteOutcome.STORED && (leads || isUndone.get())) {
                      changes.forEach(Change::apply);
                    }
                    settled.complete(outcome);
                  }
                });
    boolean isAnswered = isQueued && isAnswered(settled);
    synchronized (settled) {
      if (settled.getNow(WriteOutcome.FAILED) == WriteOutcome.STORED) {
        return;
      }
      isUndone.set(true);
      undos.forEach(Runnable::run);
    }
    if (!isQueued) {
      throw new CallRefused("the relay is busy, try again");
    } else if (isAnswered) {
      throw new CallRefused("the change could not be stored; the relay's log has the reason");
    }
    throw new CallRefused(
        "the cluster has not answered within "
            + OUTCOME_TIMEOUT.toSeconds()
            + " s; the change may come into force later");
  }

  private static boolean isAnswered(CompletableFuture<WriteOutcome> settled) throws CallRefused {
    try {
      settled.get(OUTCOME_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException | ExecutionException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallRefused("the relay ends");
    }
  }
}
