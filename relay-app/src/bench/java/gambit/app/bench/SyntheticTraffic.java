package gambit.app.bench;

import gambit.core.model.Tags;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;

/**
 * An endless sequence of events like those of real relays: notes, reactions, reposts, profiles,
 * contact lists, zap receipts and articles, by authors of Zipf-like popularity, which answer and
 * name each other. The lengths of texts are log-normal. The same seed gives the same sequence. One
 * thread.
 */
final class SyntheticTraffic {
  /** Of the kinds that this generates, those of which a relay keeps the newest event only. */
  static boolean isReplaceable(int kind) {
    return kind == PROFILE || kind == CONTACTS || kind == ARTICLE;
  }

  static final int NOTE = 1;
  static final int REACTION = 7;
  private static final int PROFILE = 0;
  private static final int CONTACTS = 3;
  private static final int REPOST = 6;
  private static final int ZAP = 9735;
  private static final int ARTICLE = 30_023;

  private static final int HASHTAGS = 500;
  private static final int RECENT_EVENTS = 1 << 14;
  private static final int MEDIAN_CONTENT_CHARS = 90;
  private static final int MAX_CONTENT_CHARS = 8_000;
  private static final int MAX_CONTACTS = 100;
  private static final int ARTICLES_OF_AN_AUTHOR = 1_000;

  private final SplittableRandom random;
  private final Authors authors;
  private final Authors replacing;
  private final String mark;
  private final double[] authorShares;
  private final double[] hashtagShares = cumulativeZipf(HASHTAGS);
  private final double[] recentShares = cumulativeZipf(RECENT_EVENTS);
  private final String[] recent = new String[RECENT_EVENTS];
  private int count;

  /**
   * A sequence from its beginning.
   *
   * @param replacing the authors of replaceable events, such as {@code authors}
   * @param mark the beginning of all texts, which a number follows, so that no two events have the
   *     same id; empty if each has a time of its own
   */
  SyntheticTraffic(long seed, Authors authors, Authors replacing, String mark) {
    this.random = new SplittableRandom(seed);
    this.authors = authors;
    this.replacing = replacing;
    this.mark = mark;
    this.authorShares = cumulativeZipf(authors.size());
    Arrays.setAll(recent, i -> HexFormat.of().formatHex(Authors.bytes(random)));
  }

  /** The next event, created at this time. */
  Draft next(long createdAt) {
    return next(createdAt, kind());
  }

  /** The next event, of this kind. */
  Draft next(long createdAt, int kind) {
    boolean isReplaceable = isReplaceable(kind);
    int author = isReplaceable ? random.nextInt(replacing.size()) : author();
    return next(createdAt, kind, author, isReplaceable ? replacing : authors);
  }

  /** The next note, of this author. */
  Draft note(long createdAt, int author) {
    return next(createdAt, NOTE, author, authors);
  }

  private Draft next(long createdAt, int kind, int author, Authors from) {
    Draft made = Draft.of(author, from.get(author), createdAt, kind, tags(kind), content(kind));
    recent[count++ % RECENT_EVENTS] = made.id().hex();
    return made;
  }

  /** A random author, by popularity. */
  int author() {
    return draw(authorShares);
  }

  private int kind() {
    int percent = random.nextInt(100);
    if (percent < 70) {
      return NOTE;
    } else if (percent < 86) {
      return REACTION;
    } else if (percent < 92) {
      return REPOST;
    } else if (percent < 94) {
      return PROFILE;
    } else if (percent < 96) {
      return CONTACTS;
    }
    return percent < 98 ? ZAP : ARTICLE;
  }

  private Tags tags(int kind) {
    List<List<String>> tags = new ArrayList<>();
    switch (kind) {
      case PROFILE -> {}
      case CONTACTS -> {
        for (int i = random.nextInt(MAX_CONTACTS); i >= 0; i--) {
          tags.add(person());
        }
      }
      case REACTION, REPOST, ZAP -> {
        tags.add(List.of("e", event()));
        tags.add(person());
      }
      default -> {
        if (kind == ARTICLE) {
          tags.add(List.of("d", "article-" + random.nextInt(ARTICLES_OF_AN_AUTHOR)));
        }
        for (int i = random.nextInt(4); i > 0; i--) {
          tags.add(tag());
        }
      }
    }
    return new Tags(tags);
  }

  private List<String> tag() {
    int percent = random.nextInt(100);
    if (percent < 40) {
      return percent < 15 ? List.of("e", event()) : List.of("e", event(), "", "reply");
    }
    return percent < 75 ? person() : List.of("t", "hashtag" + draw(hashtagShares));
  }

  private List<String> person() {
    return List.of("p", authors.hex(author()));
  }

  /** The id of an earlier event, a recent one more likely. */
  private String event() {
    return recent[Math.floorMod(count - 1 - draw(recentShares), RECENT_EVENTS)];
  }

  private String content(int kind) {
    String begin = mark.isEmpty() ? "" : mark + Integer.toString(count, 36) + " ";
    if (kind == REACTION) {
      return begin + "+";
    }
    int length = (int) Math.min(MAX_CONTENT_CHARS, MEDIAN_CONTENT_CHARS * StrictMath.exp(normal()));
    StringBuilder text = new StringBuilder(length + 16).append(begin);
    while (text.length() < length) {
      int word = random.nextInt(1 << 20);
      text.append(Integer.toString(word, 36)).append(word % 40 == 0 ? "\n" : " ");
    }
    return text.toString();
  }

  /** A normally distributed number, by Box and Muller: the same on every Java. */
  private double normal() {
    double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - random.nextDouble()));
    return radius * StrictMath.cos(2 * Math.PI * random.nextDouble());
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
