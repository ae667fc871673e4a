package gambit.chess.session.play;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Request;
import gambit.chess.game.OngoingGame;
import gambit.chess.rules.Side;
import gambit.core.crypto.Signer;
import gambit.core.feature.Commit;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.Hex;
import gambit.core.model.Kind;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reminds players by private messages (NIP-17) that it is their turn in a slow game, or that they
 * are invited to one. Only of what comes while they are away, and once they have been away for
 * {@link #DELAY} more; only those whose newest event of kind 30078 wants it; at most once an hour
 * for a game, and for all invites; not during a live game of the player.
 *
 * <p>What is owed in a game is committed with the move, and what was sent with the message, so that
 * a restart neither loses nor repeats it. An invite is owed for as long as it is pending.
 *
 * <p>Owned by the chess lane. Memory: the slow games and invites whose player is away.
 */
public final class Reminders {
  static final Duration DELAY = Duration.ofMinutes(1);
  static final Duration INTERVAL = Duration.ofHours(1);

  /** The maximum of games and invites in one message; the others are in the next one. */
  static final int MAX_LINES = 20;

  /** The value of the {@code d} tag of a player's choice. */
  static final String NAME = "gambit-reminders";

  private static final Duration KEPT_FOR = Duration.ofDays(30);
  private static final Reason NO_SUCH_TOKEN = Reason.invalid("no such token");
  private static final int MAC_BYTES = 16;
  private static final int KEY_DIGITS = 64;
  private static final int TOKEN_DIGITS = KEY_DIGITS + 2 * MAC_BYTES;

  private record ReminderKey(PubKey player) {}

  /**
   * Something of which a player is reminded. Times are epoch milliseconds.
   *
   * @param earliest the time from which the player is reminded if that was not done before
   * @param remindedAt when the player was reminded of the same before; 0 if never
   * @param text the lines in the message; any thread
   * @param game of a turn, else null
   */
  private record Item(
      long earliest,
      BooleanSupplier isOwed,
      LongSupplier remindedAt,
      Supplier<String> text,
      @Nullable GameSession game) {

    long notBefore() {
      long before = remindedAt.getAsLong();
      return before == 0 ? earliest : Math.max(earliest, before + INTERVAL.toMillis());
    }
  }

  private static final class Owed {
    /** In the order in which they have come. */
    private final Map<EventId, Item> items = new LinkedHashMap<>(2);

    /** When it is looked at next, in epoch milliseconds. */
    private long nextLook = Long.MAX_VALUE;

    /** Whether a message is being written, and until it is stored. */
    private boolean isWriting;
  }

  private static String named(PubKey player) {
    return "nostr:" + Nip19.npub(player);
  }

  private String link(String view, String parameter) {
    return page + "/#/" + view + "/" + parameter;
  }

  private final SessionContext context;
  private final RunningGames running;
  private final RelayBuilder relay;
  private final Signer signer;
  private final Executor background; // what no game waits for
  private final boolean isOffered;
  private final String page;

  private final Map<EventId, ReminderRow> rows = new HashMap<>();

  private final Map<PubKey, Owed> owed = new HashMap<>();

  public Reminders(
      SessionContext context, RunningGames running, RelayBuilder relay, Executor background) {
    this.context = context;
    this.running = running;
    this.relay = relay;
    this.signer = relay.signer();
    this.background = background;
    this.isOffered = isPossible(relay);
    this.page = relay.urls().primary().replaceFirst("(?i)^ws", "http").replaceFirst("/+$", "");
  }

  /** Whether messages to players can be read by them, and by nobody else. */
  public static boolean isPossible(RelayBuilder relay) {
    return relay.takesLogins() && relay.isGuarded(Kind.GIFT_WRAP);
  }

  private boolean isOn() {
    return isOffered && context.settings().reminders();
  }

  /** Restores what is owed in the games that ran before a restart. */
  void recover(GameSession game, Map<String, byte[]> stored) {
    byte[] row = stored.get(game.id().hex());
    if (row != null) {
      rows.put(game.id(), ReminderRow.read(game.id().hex(), row));
      owe(game);
    }
  }

  /** The row to be committed with a step of a slow game, if the turn passes. */
  Optional<Row> turnPasses(GameRef game, OngoingGame next) {
    if (!game.isSlow() || !isOn()) {
      return Optional.empty();
    }
    boolean isAway = !context.bindings().isPresent(game.player(next.turn()));
    ReminderRow before = rows.get(game.id());
    if (before == null && !isAway) {
      return Optional.empty();
    }
    ReminderRow row =
        (before == null ? ReminderRow.NONE : before)
            .withOwed(isAway ? next.plies() : ReminderRow.NOTHING);
    rows.put(game.id(), row);
    return Optional.of(row.row(game.id()));
  }

  /** The turn has passed, as was committed. */
  void turnPassed(GameSession game) {
    if (rows.containsKey(game.id())) {
      owe(game);
    }
  }

  private void owe(GameSession game) {
    PubKey player = game.ref().player(game.game().turn());
    Item turn = turn(game);
    if (turn.isOwed.getAsBoolean()) {
      owe(player, game.id(), turn);
    }
  }

  private Item turn(GameSession game) {
    Side side = game.game().turn();
    return new Item(
        context.now() + DELAY.toMillis(),
        () -> running.contains(game) && rowOf(game).owed() == game.game().plies(),
        () -> rowOf(game).remindedAt(side),
        () ->
            "It is your move against "
                + named(game.ref().player(side.opponent()))
                + ": "
                + link("game", game.id().hex()),
        game);
  }

  private ReminderRow rowOf(GameSession game) {
    return rows.getOrDefault(game.id(), ReminderRow.NONE);
  }

  /**
   * An invite to a slow game, perhaps a rematch, is pending.
   *
   * @param since in epoch milliseconds; perhaps from before a restart
   */
  public void invited(
      PubKey invited, EventId invite, PubKey author, long since, BooleanSupplier isPending) {
    if (isOn() && !context.bindings().isPresent(invited)) {
      LongSupplier remindedAt = () -> choice(invited).invitedAt();
      owe(
          invited,
          invite,
          new Item(
              context.now() + DELAY.toMillis(),
              () -> isPending.getAsBoolean() && since > remindedAt.getAsLong(),
              remindedAt,
              () ->
                  named(author) + " invites you to a slow game: " + link("challenge", invite.hex()),
              null));
    }
  }

  private void owe(PubKey player, EventId id, Item item) {
    owed.computeIfAbsent(player, it -> new Owed()).items.put(id, item);
    lookSoon(player);
  }

  /** Looks at what is owed after the delay, or sooner if that is planned. */
  private void lookSoon(PubKey player) {
    look(player, context.now() + DELAY.toMillis());
  }

  private void look(PubKey player, long at) {
    Owed own = owed.get(player);
    if (own != null && at < own.nextLook) {
      own.nextLook = at;
      long wait = Math.max(0, at - context.now());
      context.schedule(new ReminderKey(player), Duration.ofMillis(wait), () -> remind(player));
    }
  }

  /** A player who is here sees everything: nothing is owed any more. */
  public void playerConnected(PubKey player) {
    if (owed.remove(player) == null) {
      return;
    }
    context.deadlines().cancel(new ReminderKey(player));
    List<Row> changed = new ArrayList<>();
    for (GameSession game : running.of(player)) {
      ReminderRow row = rows.get(game.id());
      if (row != null
          && row.owed() != ReminderRow.NOTHING
          && game.sideOf(player) == game.game().turn()
          && !isBusy(game)) { // its end may be under way, after which it has no row
        ReminderRow settled = row.withOwed(ReminderRow.NOTHING);
        rows.put(game.id(), settled);
        changed.add(settled.row(game.id()));
      }
    }
    if (!changed.isEmpty()) {
      Announcements announcements = context.announce();
      announcements.addRows(changed);
      context.commit(announcements, outcome -> {});
    }
  }

  private boolean isBusy(GameSession game) {
    return game.players().stream().anyMatch(context.busyPlayers()::contains);
  }

  private boolean isBusy(Item item) {
    return item.game != null && isBusy(item.game);
  }

  /** A game is over; what its players had to wait for may be due. */
  void gameEnded(GameSession game) {
    rows.remove(game.id());
    game.players().forEach(this::lookSoon);
  }

  static List<Row> rowsOfEnd(GameRef game) {
    return game.isSlow() ? List.of(ReminderRow.removal(game.id())) : List.of();
  }

  private void remind(PubKey player) {
    Owed own = owed.get(player);
    if (own == null) {
      return;
    }
    own.nextLook = Long.MAX_VALUE;
    own.items.values().removeIf(item -> !item.isOwed.getAsBoolean());
    if (own.items.isEmpty() || !isOn()) {
      owed.remove(player);
    } else if (!own.isWriting && !playsLive(player)) { // their ends come back to it
      long now = context.now();
      Map<EventId, Item> due = new LinkedHashMap<>();
      long next = Long.MAX_VALUE;
      for (Map.Entry<EventId, Item> item : own.items.entrySet()) {
        long at = item.getValue().notBefore();
        if (at <= now && due.size() < MAX_LINES) {
          due.put(item.getKey(), item.getValue());
        } else {
          next = Math.min(next, at);
        }
      }
      if (due.isEmpty()) {
        look(player, next);
      } else {
        own.isWriting = true;
        background.execute(() -> write(player, own, due));
      }
    }
  }

  private boolean playsLive(PubKey player) {
    return running.of(player).stream().anyMatch(game -> !game.ref().isSlow());
  }

  /** Writes a message to a player who wants one. On the other lane. */
  private void write(PubKey player, Owed own, Map<EventId, Item> due) {
    Optional<Event> message = wants(player) ? Optional.of(message(player, due)) : Optional.empty();
    context
        .lane()
        .execute(
            () ->
                message.ifPresentOrElse(
                    it -> commit(player, own, due, it), () -> settle(player, own, due)));
  }

  /** Whether a player's newest choice is to be reminded, and no link has stopped that since. */
  private boolean wants(PubKey player) {
    Filter choice =
        Filter.of(
            Set.of(player),
            Set.of(Kind.APPLICATION_DATA),
            Map.of('d', Set.of(NAME), 'p', Set.of(signer.pubkey().hex())));
    return relay.storedEvents().find(choice, 1).stream()
        .anyMatch(it -> it.content().equals("on") && it.createdAt() > choice(player).stoppedAt());
  }

  private ReminderRow.Choice choice(PubKey player) {
    return ReminderRow.Choice.of(relay.row(ReminderRow.Choice.TABLE, player.bytes()), player);
  }

  private Event message(PubKey player, Map<EventId, Item> due) {
    StringBuilder text = new StringBuilder();
    due.values().forEach(item -> text.append(item.text.get()).append("\n\n"));
    text.append("To stop these messages: ").append(link("reminders/off", token(player)));
    long now = context.now() / 1000;
    return signer.wrap(player, text.toString(), now, now + KEPT_FOR.toSeconds());
  }

  private void commit(PubKey player, Owed own, Map<EventId, Item> due, Event message) {
    if (owed.get(player) != own
        || playsLive(player)
        || due.values().stream().anyMatch(item -> !item.isOwed.getAsBoolean() || isBusy(item))) {
      settle(player, own, Map.of()); // something has changed meanwhile
      return;
    }
    long now = context.now();
    Announcements announcements = context.announce();
    announcements.publish(message);
    Map<EventId, ReminderRow> before = new HashMap<>();
    for (Item item : due.values()) {
      GameSession game = item.game;
      if (game != null) {
        ReminderRow reminded = rowOf(game).reminded(game.sideOf(player), now);
        before.put(game.id(), rowOf(game));
        rows.put(game.id(), reminded);
        announcements.addRow(reminded.row(game.id()));
      }
    }
    if (before.size() < due.size()) {
      changeChoice(announcements, player, it -> new ReminderRow.Choice(it.stoppedAt(), now));
    }
    context.commit(
        announcements,
        outcome -> {
          if (outcome == WriteOutcome.STORED) {
            context.metrics().reminded();
          } else {
            before.forEach((game, row) -> rows.computeIfPresent(game, (id, it) -> row));
          }
          boolean isLater = outcome == WriteOutcome.FAILED || outcome == WriteOutcome.FULL;
          settle(player, own, isLater ? Map.of() : due);
        });
  }

  /** What was due is settled; for the rest, there is another look. */
  private void settle(PubKey player, Owed own, Map<EventId, Item> due) {
    own.isWriting = false;
    own.items.values().removeAll(due.values());
    if (own.items.isEmpty()) {
      owed.remove(player, own);
    } else {
      lookSoon(player);
    }
  }

  /** Changes the row of a player as it is at the commit. */
  private void changeChoice(
      Announcements announcements, PubKey player, UnaryOperator<ReminderRow.Choice> change) {
    announcements.addInCommit(
        new Commit.Addition(
            current -> {
              Optional<byte[]> row = current.row(ReminderRow.Choice.TABLE, player.bytes());
              Row changed = change.apply(ReminderRow.Choice.of(row, player)).row(player);
              return Optional.of(new Commit(List.of(), List.of(), List.of(changed)));
            },
            ReminderRow.Choice.MAX_BYTES),
        () -> {});
  }

  /** Stops the reminders of the player whose token a request has, whoever has sent it. */
  public void stop(PlayerRequest request, Request.StopReminders stop) {
    Optional<PubKey> player = playerOf(stop.token());
    if (player.isEmpty()) {
      context.refuse(request, NO_SUCH_TOKEN);
    } else if (context.bind(request)) {
      long now = context.now() / 1000;
      Announcements announcements = context.granted(request);
      changeChoice(
          announcements,
          player.get(),
          it -> new ReminderRow.Choice(Math.max(it.stoppedAt(), now), it.invitedAt()));
      context.commit(
          request,
          announcements,
          false,
          () -> context.seen().accepted(request.id(), null),
          () -> {});
    }
  }

  /** The token in the messages to a player: the key, and a MAC that only this relay can make. */
  private String token(PubKey player) {
    byte[] mac = signer.mac(NAME + player.hex());
    return player.hex() + HexFormat.of().formatHex(mac, 0, MAC_BYTES);
  }

  private Optional<PubKey> playerOf(String token) {
    if (!Hex.isLowerCase(token, TOKEN_DIGITS)) {
      return Optional.empty();
    }
    PubKey player = PubKey.ofHex(token.substring(0, KEY_DIGITS));
    return MessageDigest.isEqual(
            token(player).getBytes(StandardCharsets.US_ASCII),
            token.getBytes(StandardCharsets.US_ASCII))
        ? Optional.of(player)
        : Optional.empty();
  }

  /**
   * Whom a slow game has to remind, and when it has reminded its players; it is removed with the
   * game. Immutable.
   *
   * @param owed the number of plies after which the player to move was away; {@link #NOTHING} if
   *     the player is not to be reminded
   * @param white when White was reminded, in epoch milliseconds; 0 if never
   */
  public record ReminderRow(int owed, long white, long black) {
    public static final String TABLE = "chess.reminders";

    static final int NOTHING = -1;
    static final ReminderRow NONE = new ReminderRow(NOTHING, 0, 0);

    private static final int LENGTH = 1 + Integer.BYTES + 2 * Long.BYTES;

    long remindedAt(Side side) {
      return side == Side.WHITE ? white : black;
    }

    ReminderRow withOwed(int plies) {
      return new ReminderRow(plies, white, black);
    }

    ReminderRow reminded(Side side, long now) {
      return side == Side.WHITE
          ? new ReminderRow(NOTHING, now, black)
          : new ReminderRow(NOTHING, white, now);
    }

    Row row(EventId game) {
      ByteBuffer out = ByteBuffer.allocate(LENGTH);
      out.put(RowCodes.FORMAT).putInt(owed).putLong(white).putLong(black);
      return new Row(TABLE, game.bytes(), out.array());
    }

    static Row removal(EventId game) {
      return new Row(TABLE, game.bytes(), null);
    }

    static ReminderRow read(String key, byte[] value) {
      return RowCodes.read(
          "reminders", key, value, in -> new ReminderRow(in.getInt(), in.getLong(), in.getLong()));
    }

    /**
     * What the relay knows of a player whom it has reminded once. It stays. Immutable.
     *
     * @param stoppedAt the second of Unix time in which a link stopped the reminders; 0 if none did
     * @param invitedAt when the player was reminded of an invite, in epoch milliseconds; 0 if never
     */
    record Choice(long stoppedAt, long invitedAt) {
      public static final String TABLE = "chess.remindees";

      public static final int MAX_BYTES = RowCodes.ID + 1 + 2 * Long.BYTES;

      public static Choice of(Optional<byte[]> row, PubKey player) {
        return row.map(
                it ->
                    RowCodes.read(
                        "reminders of a player",
                        player.hex(),
                        it,
                        in -> new Choice(in.getLong(), in.getLong())))
            .orElseGet(() -> new Choice(0, 0));
      }

      public Row row(PubKey player) {
        ByteBuffer out = ByteBuffer.allocate(MAX_BYTES - RowCodes.ID);
        out.put(RowCodes.FORMAT).putLong(stoppedAt).putLong(invitedAt);
        return new Row(TABLE, player.bytes(), out.array());
      }
    }
  }
}
