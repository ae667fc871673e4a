package gambit.chess.session;

import gambit.chess.dialect.Notice;
import gambit.core.feature.Row;
import gambit.core.feature.UnreadableRows;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PackedEvent;
import gambit.core.model.PubKey;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The endings of games whose player had no connection when they ended: each is kept until it has
 * been sent, for a day at most. Beyond {@value #MAX_ENDINGS} in all, or {@value #MAX_OF_PLAYER} of
 * one player, the oldest is dropped. Those that are too old are dropped when another one is looked
 * for or added. Each has a row of the store, which is committed with the ending. The chess lane's
 * only.
 */
final class WaitingEndings {
  static final String TABLE = "chess.endings";

  /** How long an ending is kept. */
  static final Duration KEPT = Duration.ofDays(1);

  static final int MAX_ENDINGS = 10_000;
  static final int MAX_OF_PLAYER = 16;

  private static final byte FORMAT = 1;
  private static final int NO_NUMBER = -1;
  private static final int HEX_KEY = 64;

  /** The length of a row before its event. */
  private static final int HEAD = 13;

  /**
   * An ending that waits.
   *
   * @param notice how its player is notified, in the dialect of the player's seat
   * @param until when it is dropped, in epoch milliseconds
   */
  record Ending(PubKey player, EventId game, Notice notice, long until) {
    Row row() {
      Event event = notice.event();
      int size = PackedEvent.sizeInBytes(event);
      Integer number = notice.number();
      ByteBuffer out = ByteBuffer.allocate(HEAD + size);
      out.put(FORMAT).putLong(until).putInt(number == null ? NO_NUMBER : number);
      PackedEvent.pack(event, out);
      return new Row(TABLE, key(), out.array());
    }

    /** The row that removes it. */
    Row noRow() {
      return new Row(TABLE, key(), null);
    }

    private byte[] key() {
      return ByteBuffer.allocate(64).put(player.bytes()).put(game.bytes()).array();
    }
  }

  private final Map<PubKey, Set<Ending>> byPlayer = new HashMap<>();
  private final Set<Ending> all = new LinkedHashSet<>(); // the oldest first

  /**
   * Reads the endings that waited before a restart.
   *
   * @param rows by their key, in hex
   * @throws UnreadableRows when one cannot be read
   */
  void recover(Map<String, byte[]> rows) {
    List<Ending> endings = new ArrayList<>();
    rows.forEach((key, value) -> endings.add(read(key, value)));
    endings.sort(Comparator.comparingLong(Ending::until));
    endings.forEach(this::put);
  }

  private static Ending read(String key, byte[] value) {
    try {
      ByteBuffer in = ByteBuffer.wrap(value);
      int format = in.get();
      if (format != FORMAT) {
        throw new IllegalArgumentException("unknown format " + format);
      }
      long until = in.getLong();
      int number = in.getInt();
      Event event = PackedEvent.unpack(in, HEAD, value.length - HEAD);
      return new Ending(
          PubKey.ofHex(key.substring(0, HEX_KEY)),
          EventId.ofHex(key.substring(HEX_KEY)),
          new Notice(event, number == NO_NUMBER ? null : number),
          until);
    } catch (RuntimeException e) {
      throw new UnreadableRows("The journal of ending " + key + " is unreadable", e);
    }
  }

  /** Adds an ending whose row is committed; returns those that are dropped for it. */
  List<Ending> add(Ending ending) {
    put(ending);
    List<Ending> dropped = new ArrayList<>();
    List<Ending> own = of(ending.player());
    if (own.size() > MAX_OF_PLAYER) {
      dropped.add(own.get(0));
    } else if (all.size() > MAX_ENDINGS) {
      dropped.add(all.iterator().next());
    }
    dropped.forEach(this::remove);
    return dropped;
  }

  private void put(Ending ending) {
    all.add(ending);
    byPlayer.computeIfAbsent(ending.player(), player -> new LinkedHashSet<>(2)).add(ending);
  }

  /** Removes an ending, which is to be followed by the removal of its row. */
  boolean remove(Ending ending) {
    Set<Ending> own = byPlayer.get(ending.player());
    if (own == null || !own.remove(ending)) {
      return false;
    }
    all.remove(ending);
    if (own.isEmpty()) {
      byPlayer.remove(ending.player());
    }
    return true;
  }

  /** Removes the endings whose time is over, and returns them. */
  List<Ending> expire(long now) {
    List<Ending> expired = all.stream().takeWhile(ending -> ending.until() <= now).toList();
    expired.forEach(this::remove);
    return expired;
  }

  /** A player's endings, the oldest first. */
  List<Ending> of(PubKey player) {
    return List.copyOf(byPlayer.getOrDefault(player, Set.of()));
  }
}
