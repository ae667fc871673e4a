package gambit.core.testkit;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * An endless sequence of synthetic notes of about 0.6 KB of JSON each. Authors, hashtags and
 * answered events have a Zipf-like popularity. The same seed gives the same sequence, except for
 * signatures.
 */
public final class SyntheticNotes {
  private static final int AUTHORS = 3_000;
  private static final int HASHTAGS = 500;
  private static final int RECENT_EVENTS = 1 << 14;
  private static final int MEAN_CONTENT_CHARS = 150;
  private static final long START_SECONDS = 1_700_000_000;
  private static final int SECONDS_APART = 10;

  private final SplittableRandom random;
  private final List<Author> authors;
  private final double[] authorShares = cumulativeZipf(AUTHORS);
  private final double[] hashtagShares = cumulativeZipf(HASHTAGS);
  private final double[] recentShares = cumulativeZipf(RECENT_EVENTS);
  private final EventId[] recent = new EventId[RECENT_EVENTS];
  private int eventCount;

  /** A public key and a factory of its events. */
  private record Author(PubKey pubkey, EventFactory factory) {}

  private interface EventFactory {
    Event create(long createdAt, int kind, Tags tags, String content);
  }

  private SyntheticNotes(long seed, boolean signed) {
    random = new SplittableRandom(seed);
    authors =
        IntStream.range(0, AUTHORS)
            .mapToObj(i -> signed ? signingAuthor() : unsignedAuthor())
            .toList();
    Arrays.setAll(recent, i -> new EventId(bytes(32)));
  }

  /**
   * Notes with random ids and signatures, which are fast to create, for tests that do not verify
   * them.
   */
  public static SyntheticNotes unsigned(long seed) {
    return new SyntheticNotes(seed, false);
  }

  /** Notes that a relay accepts. */
  public static SyntheticNotes signed(long seed) {
    return new SyntheticNotes(seed, true);
  }

  private Author signingAuthor() {
    Signer signer = new Signer(bytes(32));
    return new Author(signer.pubkey(), signer::sign);
  }

  private Author unsignedAuthor() {
    PubKey pubkey = new PubKey(bytes(32));
    return new Author(
        pubkey,
        (createdAt, kind, tags, content) ->
            EventEncoder.encode(
                new EventId(bytes(32)), pubkey, createdAt, kind, tags, content, bytes(64)));
  }

  /** A random author, by popularity. */
  public PubKey author() {
    return drawAuthor().pubkey();
  }

  private Author drawAuthor() {
    return authors.get(draw(authorShares));
  }

  /** The approximate time of the newest event. */
  public long now() {
    return START_SECONDS + (long) eventCount * SECONDS_APART;
  }

  public List<Event> next(int count) {
    return IntStream.range(0, count).mapToObj(i -> next()).toList();
  }

  private Event next() {
    int kind = kind();
    Event event = drawAuthor().factory().create(time(), kind, tags(kind), content(kind));
    recent[eventCount++ % RECENT_EVENTS] = event.id();
    return event;
  }

  private int kind() {
    int percent = random.nextInt(100);
    if (percent < 72) {
      return 1;
    } else if (percent < 87) {
      return 7;
    } else if (percent < 93) {
      return 6;
    } else if (percent < 95) {
      return 0;
    } else if (percent < 97) {
      return 3;
    }
    return percent < 98 ? 1984 : 30_023;
  }

  /** Times grow; a tenth of the events is up to a week late. */
  private long time() {
    return random.nextInt(10) == 0 ? now() - random.nextInt(604_800) : now() + random.nextInt(60);
  }

  private Tags tags(int kind) {
    List<List<String>> tags = new ArrayList<>();
    if (kind == 30_023) {
      tags.add(List.of("d", "article-" + random.nextInt(1_000)));
    }
    int count = 1 + random.nextInt(4);
    while (tags.size() < count) {
      tags.add(tag());
    }
    return new Tags(tags);
  }

  private List<String> tag() {
    int percent = random.nextInt(100);
    if (percent < 35) {
      int back = draw(recentShares);
      String id = recent[Math.floorMod(eventCount - 1 - back, RECENT_EVENTS)].hex();
      return percent < 15 ? List.of("e", id) : List.of("e", id, "", "reply");
    }
    return percent < 75
        ? List.of("p", author().hex())
        : List.of("t", "hashtag" + draw(hashtagShares));
  }

  private String content(int kind) {
    if (kind == 7) {
      return "+";
    }
    int length = (int) Math.min(8_000, -MEAN_CONTENT_CHARS * Math.log(1 - random.nextDouble()));
    StringBuilder text = new StringBuilder(length + 12);
    while (text.length() < length) {
      text.append(Integer.toString(random.nextInt(1 << 20), 36)).append(' ');
    }
    return text.toString();
  }

  private byte[] bytes(int count) {
    ByteBuffer out = ByteBuffer.allocate(count);
    while (out.hasRemaining()) {
      out.putLong(random.nextLong());
    }
    return out.array();
  }

  private int draw(double[] shares) {
    int found = Arrays.binarySearch(shares, random.nextDouble());
    return Math.min(found < 0 ? -found - 1 : found, shares.length - 1);
  }

  /** Cumulative sums of 1, 1/2, 1/3 …, normalized to 1. */
  private static double[] cumulativeZipf(int count) {
    double[] sums = new double[count];
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += 1.0 / (i + 1);
      sums[i] = sum;
    }
    for (int i = 0; i < count; i++) {
      sums[i] /= sum;
    }
    return sums;
  }
}
