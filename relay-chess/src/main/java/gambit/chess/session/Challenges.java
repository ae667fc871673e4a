package gambit.chess.session;

import gambit.chess.dialect.Terms;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Rules;
import gambit.chess.rules.Side;
import gambit.core.feature.Row;
import gambit.core.feature.UnreadableRows;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The invites that wait to be accepted, each with a row of the store. The chess lane's only, but
 * for {@link #has}. Bounded: so many for each author and each address, and so many in all.
 */
final class Challenges {
  static final String TABLE = "chess.invites";

  /** Pending ones of one author, from one address, and of all together. */
  static final int MOST_OF_ONE = 10;

  static final int MOST_FROM_ONE = 500;
  static final int MOST = 20_000;

  private static final int ID = 32;

  /** Follows the author in a row; a row without a format has the 0 or 1 of its opponent there. */
  private static final byte FORMAT = 2;

  private final Map<EventId, Challenge> pending = new LinkedHashMap<>();
  private final Map<PubKey, Set<EventId>> byAuthor = new ConcurrentHashMap<>();
  private final Map<EventId, Set<EventId>> rematches = new HashMap<>();
  private final Map<ClientAddress, Integer> byAddress = new HashMap<>();

  void add(Challenge challenge) {
    boolean isNew = pending.put(challenge.id(), challenge) == null;
    byAuthor.computeIfAbsent(challenge.author(), a -> new HashSet<>()).add(challenge.id());
    if (challenge.rematchOf() != null) {
      rematches
          .computeIfAbsent(challenge.rematchOf(), g -> new LinkedHashSet<>(2))
          .add(challenge.id());
    }
    if (isNew && challenge.from() != null) {
      byAddress.merge(challenge.from(), 1, Integer::sum);
    }
  }

  /** Takes one away; false when it was gone already. */
  boolean remove(Challenge challenge) {
    if (!pending.remove(challenge.id(), challenge)) {
      return false;
    }
    byAuthor.computeIfPresent(
        challenge.author(),
        (author, own) -> {
          own.remove(challenge.id());
          return own.isEmpty() ? null : own;
        });
    if (challenge.rematchOf() != null) {
      rematches.computeIfPresent(
          challenge.rematchOf(),
          (game, all) -> {
            all.remove(challenge.id());
            return all.isEmpty() ? null : all;
          });
    }
    if (challenge.from() != null) {
      byAddress.computeIfPresent(challenge.from(), (address, n) -> n == 1 ? null : n - 1);
    }
    return true;
  }

  /** All of an author's. */
  List<Challenge> by(PubKey author) {
    return byAuthor.getOrDefault(author, Set.of()).stream()
        .map(pending::get)
        .filter(Objects::nonNull)
        .toList();
  }

  @Nullable Challenge get(EventId id) {
    return pending.get(id);
  }

  /** The rematch of a game that a player is asked for and that has not expired by then. */
  Optional<Challenge> rematch(EventId game, PubKey opponent, long time) {
    return rematches.getOrDefault(game, Set.of()).stream()
        .map(pending::get)
        .filter(Objects::nonNull)
        .filter(it -> opponent.equals(it.terms().opponent()) && !it.isOver(time))
        .findFirst();
  }

  /** Whether somebody has any. Any thread. */
  boolean has(PubKey author) {
    return byAuthor.containsKey(author);
  }

  int of(PubKey author) {
    return byAuthor.getOrDefault(author, Set.of()).size();
  }

  int from(ClientAddress address) {
    return byAddress.getOrDefault(address, 0);
  }

  int size() {
    return pending.size();
  }

  /** The row that keeps it. */
  static Row row(Challenge challenge) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(200);
    Terms terms = challenge.terms();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.write(challenge.author().bytes());
      out.writeByte(FORMAT);
      writeId(out, terms.opponent() == null ? null : terms.opponent().bytes());
      out.writeByte(RowCodes.of(terms.inviter()));
      out.writeUTF(terms.time().text());
      out.writeUTF(terms.initial().fen());
      out.writeLong(terms.expiresAt());
      writeId(out, challenge.rematchOf() == null ? null : challenge.rematchOf().bytes());
      out.writeLong(challenge.createdAt());
    } catch (IOException e) {
      throw new UncheckedIOException("memory", e);
    }
    return new Row(TABLE, challenge.id().bytes(), bytes.toByteArray());
  }

  /** The row that forgets it. */
  static Row noRow(Challenge challenge) {
    return new Row(TABLE, challenge.id().bytes(), null);
  }

  /**
   * Reads a row.
   *
   * @param key in hex
   * @throws UnreadableRows when it cannot be read
   */
  static Challenge read(String key, byte[] value) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(value))) {
      PubKey author = new PubKey(in.readNBytes(ID));
      byte format = value[ID];
      boolean hasFormat = format < 0 || format >= FORMAT;
      if (hasFormat && in.readByte() != FORMAT) {
        throw new IOException("unknown format " + format);
      }
      byte[] opponent = readId(in);
      Side side = RowCodes.side(in.readByte());
      TimeControl time = TimeControl.parse(in.readUTF()).orElseThrow(IOException::new);
      var initial = Rules.parseFen(in.readUTF()).orElseThrow(IOException::new);
      Terms terms =
          new Terms(
              opponent == null ? null : new PubKey(opponent), side, time, initial, in.readLong());
      byte[] rematch = readId(in);
      long createdAt = in.available() == 0 ? 0 : in.readLong(); // older rows have none
      return new Challenge(
          EventId.ofHex(key),
          author,
          null,
          createdAt,
          terms,
          rematch == null ? null : new EventId(rematch),
          new Connects());
    } catch (IOException | RuntimeException e) {
      throw new UnreadableRows("The journal of invite " + key + " is unreadable", e);
    }
  }

  private static void writeId(DataOutputStream out, byte @Nullable [] id) throws IOException {
    out.writeBoolean(id != null);
    if (id != null) {
      out.write(id);
    }
  }

  private static byte @Nullable [] readId(DataInputStream in) throws IOException {
    return in.readBoolean() ? in.readNBytes(ID) : null;
  }
}
