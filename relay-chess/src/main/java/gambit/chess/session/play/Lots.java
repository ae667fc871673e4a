package gambit.chess.session.play;

import gambit.chess.dialect.RefereeEvents;
import gambit.chess.rating.Lot;
import gambit.chess.rating.LotChain;
import gambit.chess.rules.Side;
import gambit.core.feature.Commit;
import gambit.core.feature.Row;
import gambit.core.feature.StoredEvents;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Draws the colours of games by the values of published chains. Each value is revealed by the
 * commit of one game, on condition that the stored row still has the position before it; so after a
 * failed commit, those that follow it fail, too, and their games are created anew. Owned by the
 * chess lane.
 */
public final class Lots {
  /** Where the values come from; tests choose them, and shorten the chains. */
  @FunctionalInterface
  public interface Source {
    /** The values of the chains, as every relay reveals them. */
    Source CHAINS = (value, first, second) -> value;

    /**
     * The value to reveal, given that of the chain, and the events of two players.
     *
     * @param first of the player to whom {@link Lot#isWhite} gives White, or not
     */
    byte[] value(byte[] next, EventId first, EventId second);

    default int length() {
      return LotChain.LENGTH;
    }
  }

  /** The newest chains that are looked at for the greatest number. */
  private static final int MAX_STORED_CHAINS = 100;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final SessionContext context;
  private final Source source;
  private final Commit.Rows rows;
  private final StoredEvents stored;

  private @Nullable LotRow last; // of the last draw, whose commit may be under way
  private @Nullable LotChain chain; // of that row, once it is needed
  private int failures; // after which draws began again from the stored row

  public Lots(SessionContext context, Source source, Commit.Rows rows, StoredEvents stored) {
    this.context = context;
    this.stored = stored;
    this.source = source;
    this.rows = rows;
  }

  /** A lot, and the change of the row with which its game is committed. */
  final class Draw {
    final Lot lot;
    final Side sideOfFirst;
    private final List<Event> published;
    private final LotRow before;
    private final LotRow after;
    private final int drawnAfter = failures;
    private volatile boolean isStale;

    private Draw(Lot lot, EventId first, List<Event> published, LotRow before, LotRow after) {
      this.lot = lot;
      this.sideOfFirst = lot.white().equals(first) ? Side.WHITE : Side.BLACK;
      this.published = published;
      this.before = before;
      this.after = after;
    }

    void addTo(Announcements announcements) {
      published.forEach(announcements::publish);
      announcements.addInCommit(replacement(before, after, it -> isStale = it), () -> {});
    }

    /** Whether the game was not committed only because an earlier one was not. Any thread. */
    boolean isStale(WriteOutcome outcome) {
      return outcome == WriteOutcome.GONE && isStale;
    }

    /** The game was not committed: the next draw begins from the stored row. */
    void failed() {
      if (drawnAfter == failures) {
        failures++;
        begin();
      }
    }
  }

  /** Replaces the row, if the stored one is as expected; else nothing is committed. */
  private static Commit.Addition replacement(
      @Nullable LotRow before, LotRow after, Consumer<Boolean> isStale) {
    byte[] expected = before == null ? null : before.row().value();
    Row row = after.row();
    return new Commit.Addition(
        current -> {
          boolean differs = !Arrays.equals(LotRow.in(current).orElse(null), expected);
          isStale.accept(differs);
          return differs
              ? Optional.empty()
              : Optional.of(new Commit(List.of(), List.of(), List.of(row)));
        },
        row.bytes());
  }

  /** Continues the stored chain, if there is one. */
  public void begin() {
    chain = null;
    last = LotRow.in(rows).map(LotRow::read).orElse(null);
  }

  /**
   * Publishes a chain if the stored one is spent, or there is none: not at the start, since a relay
   * without games has no events of its own, but before the second of two players is known.
   */
  public void prepare() {
    LotRow row = last;
    byte[] secret = newSecret();
    if (row == null) {
      publish(null, new LotRow(publishedChains() + 1, secret, 0, null), secret);
    } else if (isSpent(row) && row.nextSecret() == null) {
      publish(row, row.withNext(secret), secret);
    }
  }

  /** The number of the newest stored chain, perhaps of an imported one; 0 if there is none. */
  private int publishedChains() {
    Set<PubKey> relay = Set.of(context.relay().pubkey());
    Filter chains = Filter.of(relay, Set.of(RefereeEvents.LOTS_KIND), Map.of());
    return stored.find(chains, MAX_STORED_CHAINS).stream()
        .flatMap(event -> event.tags().first("d").stream())
        .mapToInt(Integer::parseInt)
        .max()
        .orElse(0);
  }

  private void publish(@Nullable LotRow before, LotRow after, byte[] secret) {
    last = after;
    Announcements announcements = context.announce();
    announcements.publish(chainEvent(before, new LotChain(secret, source.length())));
    announcements.addInCommit(replacement(before, after, isStale -> {}), () -> {});
    context.commit(announcements, outcome -> {});
  }

  private Event chainEvent(@Nullable LotRow previous, LotChain chain) {
    int number = previous == null ? Objects.requireNonNull(last).chain() : previous.chain() + 1;
    String after = previous == null ? null : LotChain.after(previous.secret(), chain.value(0));
    return context.relay().lots(number, chain.end(), source.length(), after, context.now());
  }

  private boolean isSpent(LotRow row) {
    return row.position() >= source.length();
  }

  private static byte[] newSecret() {
    byte[] secret = new byte[32];
    RANDOM.nextBytes(secret);
    return secret;
  }

  Draw draw(EventId first, EventId second) {
    prepare();
    LotRow before = Objects.requireNonNull(last);
    LotRow after = isSpent(before) ? before.nextChain() : before.nextPosition();
    if (chain == null || isSpent(before)) {
      chain = new LotChain(after.secret(), source.length());
    }
    byte[] value = source.value(chain.value(after.position()), first, second);
    List<Event> published = List.of();
    if (after.position() >= source.length() - 1 && after.nextSecret() == null) {
      byte[] secret = newSecret();
      published = List.of(chainEvent(after, new LotChain(secret, source.length())));
      after = after.withNext(secret);
    }
    last = after;
    Lot lot = Lot.draw(after.chain(), after.position(), value, first, second);
    return new Draw(lot, first, published, before, after);
  }

  /**
   * The one row of the lots: the chain whose values are being revealed. Immutable; its arrays must
   * not be modified.
   *
   * @param chain its number, from 1
   * @param secret its first value
   * @param position the position that was revealed last; 0 before the first
   * @param nextSecret the first value of the next chain, if that is published
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares rows
  public record LotRow(int chain, byte[] secret, int position, byte @Nullable [] nextSecret) {
    public static final String TABLE = "chess.lots";

    private static final byte[] KEY = {0};

    private static final int MAX_LENGTH = 2 + 2 * Integer.BYTES + 2 * RowCodes.ID;

    static Optional<byte[]> in(Commit.Rows rows) {
      return rows.row(TABLE, KEY);
    }

    LotRow nextPosition() {
      return new LotRow(chain, secret, position + 1, nextSecret);
    }

    /** The row after the first value of the published next chain was revealed. */
    LotRow nextChain() {
      return new LotRow(chain + 1, Objects.requireNonNull(nextSecret), 1, null);
    }

    LotRow withNext(byte[] secretOfNext) {
      return new LotRow(chain, secret, position, secretOfNext);
    }

    Row row() {
      ByteBuffer out = ByteBuffer.allocate(MAX_LENGTH);
      out.put(RowCodes.FORMAT).putInt(chain).put(secret).putInt(position);
      RowCodes.putId(out, nextSecret);
      return new Row(TABLE, KEY, Arrays.copyOf(out.array(), out.position()));
    }

    static LotRow read(byte[] value) {
      return RowCodes.read(
          "lots",
          "",
          value,
          in ->
              new LotRow(
                  in.getInt(),
                  RowCodes.bytes(in, RowCodes.ID),
                  in.getInt(),
                  RowCodes.idOrNull(in)));
    }
  }
}
