package gambit.core.model;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A signed event with its only encoding: the canonical JSON object that is stored and sent to every
 * receiver (NIP-01). {@link EventEncoder} creates it; its id and signature may be invalid.
 * Immutable: {@link #json()} must not be modified.
 *
 * <p>Two events are equal if their ids are.
 */
public final class Event {
  /** The order in which events are served: newest first, then by lowest id (NIP-01). */
  public static final Comparator<Event> SERVING_ORDER =
      (a, b) ->
          a.createdAt == b.createdAt
              ? a.id.compareTo(b.id)
              : Long.compare(b.createdAt, a.createdAt);

  /** Length of the encoding after the content: {@code ,"sig":"…128 digits…"}}. */
  static final int BYTES_AFTER_CONTENT = 8 + 128 + 2;

  /** Length of the encoding between tags and content: {@code ,"content":}. */
  static final int BYTES_BEFORE_CONTENT = 11;

  private final EventId id;
  private final PubKey pubkey;
  private final long createdAt;
  private final int kind;
  private final byte[] json;
  private final int tagsAt;
  private final int contentAt;
  private final SharedJson shared;
  private @Nullable Tags tags; // decoded on first use; every thread decodes the same value

  Event(
      EventId id,
      PubKey pubkey,
      long createdAt,
      int kind,
      @Nullable Tags tags,
      byte[] json,
      int tagsAt,
      int contentAt) {
    this.id = id;
    this.pubkey = pubkey;
    this.createdAt = createdAt;
    this.kind = kind;
    this.tags = tags;
    this.json = json;
    this.shared = new SharedJson(json);
    this.tagsAt = tagsAt;
    this.contentAt = contentAt;
  }

  public EventId id() {
    return id;
  }

  public PubKey pubkey() {
    return pubkey;
  }

  /** Unix time in seconds, as claimed by the author. */
  public long createdAt() {
    return createdAt;
  }

  public int kind() {
    return kind;
  }

  public Tags tags() {
    Tags known = tags;
    if (known == null) {
      known = Tags.read(json, tagsAt, tagsEnd());
      tags = known;
    }
    return known;
  }

  /** The content, decoded from the encoding on each call. */
  public String content() {
    return JsonStrings.decode(json, contentAt, json.length - BYTES_AFTER_CONTENT);
  }

  /** The length of the content in the encoding without its quotes: an upper bound on its bytes. */
  public int maxContentBytes() {
    return json.length - BYTES_AFTER_CONTENT - contentAt - 2;
  }

  public byte[] sig() {
    return Objects.requireNonNull(Hex.bytes(json, json.length - 130, 128));
  }

  /** The canonical encoding, shared by all receivers. It must not be modified. */
  public byte[] json() {
    return json;
  }

  /** The encoding with the data that receivers share, without a reference to the event. */
  public SharedJson shared() {
    return shared;
  }

  public int tagsAt() {
    return tagsAt;
  }

  public int tagsEnd() {
    return contentAt - BYTES_BEFORE_CONTENT;
  }

  /** Position of the content's opening quote in the encoding. */
  public int contentAt() {
    return contentAt;
  }

  /** Position after the content's closing quote. */
  public int contentEnd() {
    return json.length - BYTES_AFTER_CONTENT;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Event e && e.id.equals(id);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return new String(json, StandardCharsets.UTF_8);
  }
}
