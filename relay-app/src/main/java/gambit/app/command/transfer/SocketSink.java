package gambit.app.command.transfer;

import gambit.app.tool.client.EventPublisher;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayPlace;
import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Publishes events over an operator's connection to a running relay. Their signatures are verified
 * here, on the caller's threads.
 */
final class SocketSink implements EventSink, EventPublisher.Answers {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final boolean isTrusted;
  private final EventVerifier verifier = new EventVerifier();
  private final Map<String, List<Answer>> unanswered =
      new ConcurrentHashMap<>(); // one for each copy
  private final EventPublisher publisher;
  private volatile String failure = "";

  SocketSink(RelayPlace relay, boolean isTrusted) throws RelayFailure {
    this.isTrusted = isTrusted;
    this.publisher = new EventPublisher(relay, TIMEOUT, this);
  }

  @Override
  public void take(Event event, Answer answer) throws RelayFailure {
    if (!failure.isEmpty()) {
      throw new RelayFailure(failure);
    }
    if (!isTrusted && !verifier.hasValidId(event)) {
      answer.answered(false, "invalid: the id is not the hash of the event");
    } else if (!isTrusted && !verifier.hasValidSignature(event)) {
      answer.answered(false, "invalid: the signature does not verify");
    } else if (unanswered.merge(event.id().hex(), List.of(answer), SocketSink::both).size() == 1) {
      publisher.publish(event);
    }
  }

  private static List<Answer> both(List<Answer> before, List<Answer> more) {
    return Stream.concat(before.stream(), more.stream()).toList();
  }

  @Override
  public void answered(String id, boolean isAccepted, String text) {
    List<Answer> answers = unanswered.remove(id);
    if (answers != null) {
      answers.get(0).answered(isAccepted, text);
      String ofCopies = isAccepted ? "duplicate: twice in the file" : text;
      answers.stream().skip(1).forEach(copy -> copy.answered(isAccepted, ofCopies));
    }
  }

  @Override
  public void ended(String reason) {
    failure = reason;
  }

  @Override
  public String failure() {
    return failure;
  }

  @Override
  public void close() {
    publisher.close();
  }
}
