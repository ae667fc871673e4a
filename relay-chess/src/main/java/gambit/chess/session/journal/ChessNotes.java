package gambit.chess.session.journal;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.model.PubKey;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The notes that the leader of a cluster keeps on players' connections, from which the next leader
 * continues: {@link ClientConnection#keep}.
 *
 * @param players the bindings of the connection
 * @param searches the searches of its players
 * @param unshown those of its players to whom running games must still be shown after a login
 */
public record ChessNotes(
    Map<PubKey, PlayerNote> players, Map<PubKey, SearchNote> searches, Set<PubKey> unshown) {
  private static final String PLAYER = "chess.player.";
  private static final String SEARCH = "chess.search.";
  private static final String UNSHOWN = "chess.unshown.";
  private static final byte UNSHOWN_FORMAT = 1;

  /** The output that keeps the note of a binding, or removes it. */
  public static Outgoing.Note ofPlayer(
      PubKey player, ClientConnection connection, @Nullable PlayerNote note) {
    return new Outgoing.Note(connection, PLAYER + player.hex(), note == null ? null : note.bytes());
  }

  /** The output that keeps the note of a search, or removes it. */
  public static Outgoing.Note ofSearch(
      PubKey player, ClientConnection connection, @Nullable SearchNote note) {
    return new Outgoing.Note(connection, SEARCH + player.hex(), note == null ? null : note.bytes());
  }

  /** The output that notes whether running games must still be shown to a player. */
  public static Outgoing.Note ofUnshown(
      PubKey player, ClientConnection connection, boolean isUnshown) {
    return new Outgoing.Note(
        connection, UNSHOWN + player.hex(), isUnshown ? new byte[] {UNSHOWN_FORMAT} : null);
  }

  /** Whether notes name a player as bound to their connection. */
  public static boolean isBound(PubKey player, Map<String, byte[]> notes) {
    return !notes.isEmpty() && notes.containsKey(PLAYER + player.hex());
  }

  /**
   * Reads the notes of a connection. Those of other features are skipped.
   *
   * @param unreadable receives the key of a note that cannot be read, and why
   */
  public static ChessNotes read(
      Map<String, byte[]> notes, BiConsumer<String, RuntimeException> unreadable) {
    ChessNotes read = new ChessNotes(new TreeMap<>(), new TreeMap<>(), new HashSet<>());
    new TreeMap<>(notes)
        .forEach(
            (key, note) -> {
              try {
                read.add(key, note);
              } catch (RuntimeException e) {
                unreadable.accept(key, e);
              }
            });
    return read;
  }

  private void add(String key, byte[] note) {
    if (key.startsWith(PLAYER)) {
      players.put(player(key, PLAYER), PlayerNote.read(note));
    } else if (key.startsWith(SEARCH)) {
      searches.put(player(key, SEARCH), SearchNote.read(note));
    } else if (key.startsWith(UNSHOWN)) {
      RowCodes.requireFormat(note[0], UNSHOWN_FORMAT);
      unshown.add(player(key, UNSHOWN));
    }
  }

  private static PubKey player(String key, String prefix) {
    return PubKey.ofHex(key.substring(prefix.length()));
  }
}
