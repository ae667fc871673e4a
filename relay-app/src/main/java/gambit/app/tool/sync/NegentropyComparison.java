package gambit.app.tool.sync;

import gambit.app.tool.client.ReceivedMessage;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelaySession;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.negentropy.Mediator;
import gambit.core.negentropy.NegentropyException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares both relays by NIP-77, and moves what one lacks meanwhile. On the pair's thread. */
final class NegentropyComparison {
  /** Maximum length of a message in bytes; other relays limit the text of twice the length. */
  private static final int MAX_MESSAGE_BYTES = 60_000;

  /** The time for the first answer; a relay without NIP-77 may send none. */
  private static final Duration FIRST_ANSWER = Duration.ofSeconds(15);

  /** The time for it after a notice, which may have been the answer. */
  private static final Duration AFTER_NOTICE = Duration.ofSeconds(2);

  private static final Duration ANSWER = Duration.ofMinutes(2);

  /** Ids that may wait to be moved while the comparison goes on: about 7 MB. */
  private static final int MAX_WAITING = 50_000;

  /** Messages in a row without an event to move: many times the depth of the largest sets. */
  private static final int MAX_FRUITLESS_MESSAGES = 200;

  /** Further ones, for the differences that are not moved: an honest message has many more. */
  private static final int IDS_OF_A_FRUITLESS_MESSAGE = 16;

  /** Differences that are not moved, because of the direction or an earlier refusal. */
  private static final long MAX_FRUITLESS_IDS = 50_000_000;

  enum Outcome {
    COMPARED,
    /** One of the relays does not compare so many events at once. */
    TOO_LARGE,
    /** One of the relays ended the comparison for a reason that may pass, such as its duration. */
    TIMED_OUT,
    /** One of the relays does not have NIP-77, or does not allow it. */
    UNSUPPORTED
  }

  private final RelayPair pair;
  private final EventMover down;
  private final EventMover up;

  /** The relays that have answered to a comparison, so that they have NIP-77. */
  private final Set<RelaySession> comparing = new HashSet<>();

  private String refusal = "";
  private long fruitlessMessages;
  private long fruitlessIds;

  /** The movers take what this relay lacks, and what the peer lacks. */
  NegentropyComparison(RelayPair pair, EventMover down, EventMover up) {
    this.pair = pair;
    this.down = down;
    this.up = up;
  }

  String refusal() {
    return refusal;
  }

  Outcome compare(SyncFilter filter) throws RelayFailure {
    Side here = new Side(pair.here, filter);
    Side there = new Side(pair.there, filter);
    int maxBytes = Math.min(MAX_MESSAGE_BYTES, Math.min(here.maxBytes(), there.maxBytes()));
    if (maxBytes < Mediator.MIN_MESSAGE_BYTES) {
      RelaySession shorter = here.maxBytes() < there.maxBytes() ? pair.here : pair.there;
      refusal =
          String.format(
              Locale.ROOT,
              "%s: reads messages of %,d bytes",
              shorter.name(),
              shorter.limits().messageBytes());
      return Outcome.UNSUPPORTED;
    }
    Mediator mediator = new Mediator(maxBytes, new FoundDifferences());
    fruitlessMessages = 0;
    fruitlessIds = 0;
    try {
      Optional<byte[]> toHere = Optional.of(mediator.start());
      while (toHere.isPresent()) {
        Optional<byte[]> fromHere = here.ask(toHere.get());
        if (fromHere.isEmpty()) {
          return here.refused();
        }
        Optional<byte[]> toThere = mediator.toSecond(fromHere.get());
        if (toThere.isEmpty()) {
          break;
        }
        Optional<byte[]> fromThere = there.ask(toThere.get());
        if (fromThere.isEmpty()) {
          return there.refused();
        }
        toHere = mediator.toFirst(fromThere.get());
        fruitlessMessages++;
        if (fruitlessIds > MAX_FRUITLESS_IDS
            || fruitlessMessages
                > MAX_FRUITLESS_MESSAGES + fruitlessIds / IDS_OF_A_FRUITLESS_MESSAGE) {
          throw new RelayFailure(pair.there.name() + " does not come to an end.");
        }
        moveUntilFewWait();
      }
      return Outcome.COMPARED;
    } catch (NegentropyException e) {
      throw new RelayFailure(
          pair.there.name() + " sent a malformed message: " + e.getMessage() + ".");
    } finally {
      here.close();
      there.close();
    }
  }

  /** Moves what was found, so that at most {@link #MAX_WAITING} ids wait in each direction. */
  private void moveUntilFewWait() throws RelayFailure {
    down.moveDownTo(MAX_WAITING);
    up.moveDownTo(MAX_WAITING);
  }

  private final class FoundDifferences implements Mediator.Differences {
    @Override
    public void onlyAtFirst(EventId id) {
      found(id, up);
    }

    @Override
    public void onlyAtSecond(EventId id) {
      found(id, down);
    }

    private void found(EventId id, EventMover mover) {
      if (mover.add(id)) {
        fruitlessMessages = 0;
      } else {
        fruitlessIds++;
      }
    }
  }

  private final class Side implements RelaySession.Handler {
    private final RelaySession relay;
    private final SyncFilter filter;
    private final String id;
    private boolean isOpen;
    private boolean isEnded;
    private @Nullable String answer;
    private String reason = "";

    private Side(RelaySession relay, SyncFilter filter) {
      this.relay = relay;
      this.filter = filter;
      this.id = relay.register(this);
    }

    @Override
    public void received(ReceivedMessage message) {
      String verb = message.verb();
      if (verb.equals("NEG-MSG")) {
        answer = message.text(2);
      } else if (verb.equals("NEG-ERR") || verb.equals("CLOSED")) {
        isEnded = true;
        reason = message.text(2);
      }
    }

    private String opening(String hex) {
      return "[\"NEG-OPEN\",\"" + id + "\"," + filter.json() + ",\"" + hex + "\"]";
    }

    /** The longest message of the protocol that the relay reads, in whatever message it is sent. */
    int maxBytes() {
      return (relay.limits().messageBytes() - opening("").getBytes(StandardCharsets.UTF_8).length)
          / 2;
    }

    /** The relay's answer; empty if it refuses. */
    Optional<byte[]> ask(byte[] message) throws RelayFailure {
      String hex = HexFormat.of().formatHex(message);
      answer = null;
      if (isOpen) {
        relay.send("[\"NEG-MSG\",\"" + id + "\",\"" + hex + "\"]");
        pair.await(
            () -> {
              moveUntilFewWait();
              return answer != null || isEnded;
            },
            relay,
            ANSWER);
      } else {
        relay.send(opening(hex));
        awaitFirst();
      }
      String received = answer;
      if (received == null) {
        return Optional.empty();
      }
      isOpen = true;
      comparing.add(relay);
      if (received.length() % 2 != 0 || !Hex.isLowerCase(received, received.length())) {
        throw new RelayFailure(relay.name() + " sent a message that is not in hex.");
      }
      return Optional.of(HexFormat.of().parseHex(received));
    }

    private void awaitFirst() throws RelayFailure {
      int noticesBefore = relay.notices();
      long deadline = System.nanoTime() + FIRST_ANSWER.toNanos();
      boolean isNoticed = false;
      while (answer == null && !isEnded && System.nanoTime() - deadline < 0) {
        pair.step(Duration.ofMillis(500));
        if (!isNoticed && relay.notices() > noticesBefore) {
          isNoticed = true;
          deadline = System.nanoTime() + AFTER_NOTICE.toNanos();
        }
      }
      if (answer == null && !isEnded) {
        reason = isNoticed ? relay.notice() : "no answer";
      }
    }

    private Outcome refused() {
      refusal = relay.name() + ": " + reason;
      boolean isError = reason.startsWith("error:") || reason.startsWith("closed:");
      if (reason.startsWith("rate-limited:") || (isError && comparing.contains(relay))) {
        return Outcome.TIMED_OUT;
      }
      return reason.startsWith("blocked:") || reason.contains("TOO_BIG")
          ? Outcome.TOO_LARGE
          : Outcome.UNSUPPORTED;
    }

    void close() throws RelayFailure {
      relay.unregister(id);
      if (isOpen && !isEnded) {
        relay.send("[\"NEG-CLOSE\",\"" + id + "\"]");
      }
    }
  }
}
