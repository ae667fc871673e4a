package gambit.core.management;

import gambit.core.feature.Commit;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import gambit.core.management.AuditLog.AuditEntry;
import gambit.core.management.Call.CallRefused;
import gambit.core.management.Call.Caller;
import gambit.core.management.Decisions.ModerationDecision;
import gambit.core.management.Decisions.Verdict;
import gambit.core.management.MemberEvents.Due;
import gambit.core.model.EventId;
import gambit.core.rate.ClientAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
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
  private final Map<String, String> texts;
  private final AuditLog audit;
  private final MemberEvents memberEvents;
  private final Runnable publishing;
  private volatile boolean leads;
  private volatile boolean isOpen;

  /** What calls have changed so far; the texts are those of NIP-11, by field. */
  record InForce(
      Decisions decisions,
      ConcurrentHashMap<String, String> texts,
      Members members,
      AuditLog audit) {}

  /**
   * A value that is put in force, or removed if it is null, and the row that says so. Immutable.
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares changes
  record Change<K, V>(Map<K, V> inForce, K key, @Nullable V value, Row row) {
    /** Puts the value in force; returns what undoes it, unless another one has replaced it. */
    Runnable apply() {
      V before = inForce.get(key);
      put(inForce, key, value);
      return () -> {
        inForce.computeIfPresent(key, (k, now) -> now.equals(value) ? before : now);
        if (value == null && before != null) {
          inForce.putIfAbsent(key, before);
        }
      };
    }
  }

  /**
   * Begins to follow the cluster's rows; during installation.
   *
   * @param memberEvents the relay's events on its members, which are stored with the changes
   * @param publishing has the lane run {@link #publishMemberEvents}
   * @param addedElsewhere receives the entries of the audit log that other nodes add
   */
  ManagementChanges(
      RelayBuilder relay,
      InForce inForce,
      MemberEvents memberEvents,
      Runnable publishing,
      Consumer<AuditEntry> addedElsewhere) {
    this.relay = relay;
    this.decisions = inForce.decisions();
    this.texts = inForce.texts();
    this.audit = inForce.audit();
    this.memberEvents = memberEvents;
    this.publishing = publishing;
    relay.whenOpen(
        () -> {
          isOpen = true;
          publishing.run();
        });
    relay.whenLeading(
        () -> {
          leads = true;
          publishing.run();
        });
    relay.listenToRows(ManagementRows.TABLE, rows -> rows.forEach(this::changedElsewhere));
    relay.listenToRows(
        RowMap.TABLE,
        rows -> {
          rows.forEach(inForce.members()::changed);
          publishing.run();
        });
    relay.listenToRows(
        ManagementRows.AUDIT,
        rows ->
            rows.forEach(
                (key, value) -> {
                  byte[] bytes = HexFormat.of().parseHex(key);
                  audit.changed(new Row(ManagementRows.AUDIT, bytes, value.orElse(null)));
                  value.ifPresent(
                      it ->
                          ManagementRows.auditEntries(Map.of(key, it))
                              .values()
                              .forEach(addedElsewhere));
                }));
  }

  private void changedElsewhere(String key, Optional<byte[]> row) {
    String field = ManagementRows.field(key);
    Map<String, byte[]> rows = row.map(value -> Map.of(key, value)).orElse(Map.of());
    if (field != null) {
      put(texts, field, ManagementRows.texts(rows).get(field));
      relay.informationChanged();
      return;
    }
    Subject subject = ManagementRows.subject(key);
    List<ModerationDecision> decided = ManagementRows.decisions(rows);
    put(decisions.bySubject(), subject, decided.isEmpty() ? null : decided.get(0));
    disconnectIfBanned(subject);
  }

  private void disconnectIfBanned(Subject subject) {
    if (subject instanceof Subject.Address blocked && decisions.isBanned(subject)) {
      ClientAddress address = blocked.address();
      relay.disconnect(address::equals);
    }
  }

  /** Puts a decision in force; the commit of a ban of an event erases the event. */
  void decide(Call call, Subject subject, Verdict verdict) throws CallRefused {
    if (decisions.bySubject().size() >= Decisions.MAX && !decisions.has(subject)) {
      throw new CallRefused(
          "there are " + Decisions.MAX + " decisions already, which is the most; lift some");
    }
    replace(
        call,
        subject,
        new ModerationDecision(subject, verdict, call.reason(), now(), call.by().name()));
    disconnectIfBanned(subject);
  }

  /** Lifts the decision on a subject; refused if there is none. */
  void lift(Call call, Subject subject) throws CallRefused {
    if (!decisions.has(subject)) {
      throw new CallRefused("there is no decision on " + subject.text());
    }
    replace(call, subject, null);
  }

  /** Lifts a decision with that verdict; nothing changes if there is none. */
  void lift(Call call, Subject subject, Verdict verdict) throws CallRefused {
    if (decisions.has(subject, verdict)) {
      replace(call, subject, null);
    }
  }

  private void replace(Call call, Subject subject, @Nullable ModerationDecision decision)
      throws CallRefused {
    boolean erases = decision != null && decision.verdict() == Verdict.BANNED;
    commit(
        entry(call, subject.text(), call.reason()),
        List.of(
            new Change<>(
                decisions.bySubject(), subject, decision, ManagementRows.row(subject, decision))),
        erases && subject instanceof Subject.OneEvent event ? List.of(event.id()) : List.of());
  }

  /** Sets a text of NIP-11; an empty one puts that of the settings in force again. */
  void setText(Call call, String field, String text) throws CallRefused {
    Change<String, String> change =
        new Change<>(texts, field, text.isEmpty() ? null : text, ManagementRows.text(field, text));
    commit(entry(call, field, text), List.of(change), List.of());
    relay.informationChanged();
  }

  /** Makes changes of members, or none, with an entry of the audit log. */
  void change(Call call, String target, String reason, List<Change<?, ?>> changes)
      throws CallRefused {
    commit(entry(call, target, reason), changes, List.of());
  }

  private AuditEntry entry(Call call, String target, String reason) {
    Caller by = call.by();
    return new AuditEntry(
        audit.nextNumber(), now(), by.name(), call.method(), target, reason, by.login());
  }

  long now() {
    return relay.time().instant().getEpochSecond();
  }

  private void commit(AuditEntry entry, List<Change<?, ?>> changes, List<EventId> erased)
      throws CallRefused {
    List<Row> rows = new ArrayList<>(changes.stream().map(Change::row).toList());
    rows.addAll(audit.rows(entry));
    Due due = memberEvents.due(changes);
    List<Runnable> undos = changes.stream().map(Change::apply).toList();
    store(
        new Commit(due.events(), due.withdrawn(), erased, rows),
        due,
        () -> changes.forEach(Change::apply),
        () -> undos.forEach(Runnable::run));
    if (!due.isComplete()) {
      publishLater(LATER);
    }
    LOG.info("Management: {} by {}: {}", entry.action(), entry.by(), entry.target());
  }

  /**
   * Publishes the relay's events on its members that are missing, as after a start or a reload that
   * closes the relay to others, or removes them once it is open; if it cannot, it tries again.
   */
  void publishMemberEvents() {
    if (!leads || !isOpen) {
      return;
    }
    Due due = memberEvents.due();
    try {
      if (!due.events().isEmpty() || !due.withdrawn().isEmpty()) {
        store(
            new Commit(due.events(), due.withdrawn(), List.of(), List.of()),
            due,
            () -> {},
            () -> {});
      }
      if (!due.isComplete()) {
        publishLater(LATER);
      }
    } catch (CallRefused e) {
      LOG.warn("The events on members could not be published: {}", e.getMessage());
      publishLater(AFTER_FAILURE);
    }
  }

  private void publishLater(Duration delay) {
    relay.deadlines().set(this, delay, publishing);
  }

  private static <K, V> void put(Map<K, V> inForce, K key, @Nullable V value) {
    if (value == null) {
      inForce.remove(key);
    } else {
      inForce.put(key, value);
    }
  }

  /**
   * A commit has succeeded; on the writer's thread. A follower's comes into force by its rows, in
   * the order of the cluster's log.
   */
  private void committed(Runnable apply, List<Row> rows) {
    if (leads) {
      apply.run();
      rows.forEach(audit::changed);
    }
  }

  /** Commits, and undoes the change unless it was stored in time; it may still come into force. */
  private void store(Commit commit, Due due, Runnable apply, Runnable undo) throws CallRefused {
    CompletableFuture<WriteOutcome> settled = new CompletableFuture<>();
    AtomicBoolean isUndone = new AtomicBoolean();
    boolean isQueued =
        relay
            .publisher()
            .store(
                commit,
                outcome -> outcome == WriteOutcome.STORED ? due.output() : List.of(),
                outcome -> {
                  synchronized (settled) { // before or after what is undone, not meanwhile
                    if (outcome == WriteOutcome.STORED) {
                      committed(apply, commit.rows());
                      if (isUndone.get()) { // after a follower has learned of it by its row
                        apply.run();
                      }
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
      undo.run();
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
