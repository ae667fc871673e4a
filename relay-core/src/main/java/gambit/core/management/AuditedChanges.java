package gambit.core.management;

import gambit.core.feature.Commit;
import gambit.core.feature.Publisher;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import gambit.core.management.ModerationDecision.Verdict;
import gambit.core.model.EventId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes decisions and texts: each change is in force from the moment in which it is queued for
 * the writer, so that no event is stored after it in spite of it, and is undone if the commit
 * fails. The commit has the entry of the audit log, too. Each method waits for its commit, at most
 * {@link #OUTCOME_TIMEOUT}. The lane of management calls them; the writer calls {@link #lead} and
 * {@link #committed}.
 */
final class AuditedChanges {
  private static final Logger LOG = LoggerFactory.getLogger(AuditedChanges.class);

  /**
   * A cluster without a leader for so long is a failure that the caller should know of. Two calls
   * wait for less than a shutdown may take.
   */
  private static final Duration OUTCOME_TIMEOUT = Duration.ofSeconds(4);

  private final Publisher publisher;
  private final InstantSource time;
  private final Decisions decisions;
  private final Map<String, String> texts;
  private final AuditLog audit;
  private volatile boolean leads;

  /**
   * Creates it for what is in force.
   *
   * @param texts of NIP-11, by field; read by other threads
   */
  AuditedChanges(
      Publisher publisher,
      InstantSource time,
      Decisions decisions,
      ConcurrentHashMap<String, String> texts,
      AuditLog audit) {
    this.publisher = publisher;
    this.time = time;
    this.decisions = decisions;
    this.texts = texts;
    this.audit = audit;
  }

  /**
   * Puts a decision in force.
   *
   * @param erased events to be erased in the same commit
   */
  void decide(Call call, Subject subject, Verdict verdict, List<EventId> erased)
      throws CallRefused {
    if (!decisions.hasRoomFor(subject)) {
      throw new CallRefused(
          "there are " + Decisions.MAX + " decisions already, which is the most; lift some");
    }
    replace(
        call,
        subject,
        new ModerationDecision(
            subject, verdict, call.reason(), time.instant().getEpochSecond(), call.by().name()),
        erased);
  }

  /** Lifts the decision on a subject; refused if there is none. */
  void lift(Call call, Subject subject) throws CallRefused {
    if (decisions.on(subject) == null) {
      throw new CallRefused("there is no decision on " + subject.text());
    }
    replace(call, subject, null, List.of());
  }

  /** Lifts a decision with that verdict; nothing changes if there is none. */
  void lift(Call call, Subject subject, Verdict verdict) throws CallRefused {
    if (decisions.has(subject, verdict)) {
      replace(call, subject, null, List.of());
    }
  }

  private void replace(
      Call call, Subject subject, @Nullable ModerationDecision decision, List<EventId> erased)
      throws CallRefused {
    ModerationDecision before = decisions.on(subject);
    commit(
        call,
        subject.text(),
        call.reason(),
        ManagementRows.row(subject, decision),
        erased,
        () -> decisions.put(subject, decision),
        () -> decisions.undo(subject, decision, before));
  }

  /** Sets a text of NIP-11; an empty one puts that of the settings in force again. */
  void setText(Call call, String field, String text) throws CallRefused {
    String before = texts.getOrDefault(field, "");
    commit(
        call,
        field,
        text,
        ManagementRows.text(field, text),
        List.of(),
        () -> putText(field, text),
        () -> {
          if (texts.getOrDefault(field, "").equals(text)) {
            putText(field, before);
          }
        });
  }

  private void putText(String field, String text) {
    if (text.isEmpty()) {
      texts.remove(field);
    } else {
      texts.put(field, text);
    }
  }

  /**
   * This relay decides on its changes by itself from now on. Before, a change comes into force with
   * the cluster's other changes ({@link CommittedChanges}). Any thread.
   */
  void lead() {
    leads = true;
  }

  /** A commit has succeeded; on the writer's thread. Those of a cluster are in force in order. */
  private void committed(Runnable apply, List<Row> rows) {
    if (leads) {
      apply.run();
      audit.changed(rows);
    }
  }

  private void commit(
      Call call,
      String target,
      String reason,
      Row row,
      List<EventId> erased,
      Runnable apply,
      Runnable undo)
      throws CallRefused {
    AuditEntry entry =
        new AuditEntry(
            audit.nextNumber(),
            time.instant().getEpochSecond(),
            call.by().name(),
            call.method(),
            target,
            reason,
            call.by() instanceof Caller.Admin admin ? admin.login() : "");
    List<Row> rows = new ArrayList<>(List.of(row));
    rows.addAll(audit.rows(entry));
    apply.run();
    store(new Commit(List.of(), List.of(), erased, rows), apply, undo);
    LOG.info("Management: {} by {}: {}", entry.action(), entry.by(), entry.target());
  }

  /** Commits, and undoes the change unless it was stored in time; it may still come into force. */
  private void store(Commit commit, Runnable apply, Runnable undo) throws CallRefused {
    CompletableFuture<WriteOutcome> settled = new CompletableFuture<>();
    AtomicBoolean isUndone = new AtomicBoolean();
    boolean isQueued =
        publisher.store(
            commit,
            outcome -> List.of(),
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

  /** Waits for the outcome. */
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
