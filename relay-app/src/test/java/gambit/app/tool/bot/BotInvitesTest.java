package gambit.app.tool.bot;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.tool.client.GameTerms;
import gambit.app.tool.client.GameView;
import gambit.app.tool.client.ReceivedInvite;
import gambit.app.tool.client.RefusedException;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayInfo;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The test decides in which order the relay answers, games begin and games end. */
class BotInvitesTest {
  private static final int MAX_GAMES = 6;
  private static final TimeControl FAST = time("300+3");
  private static final TimeControl UNTIMED = time("-");

  private final List<GameView> games = new ArrayList<>();
  private final List<ReceivedInvite> rejected = new ArrayList<>();
  private final List<String> reports = new ArrayList<>();
  private final List<Runnable> later = new ArrayList<>();

  /** The acceptances that have not been answered, oldest first. */
  private final Map<ReceivedInvite, CompletableFuture<String>> accepted = new LinkedHashMap<>();

  private final BotInvites invites =
      new BotInvites(
          MAX_GAMES,
          () -> games,
          invite -> accepted.computeIfAbsent(invite, each -> new CompletableFuture<>()),
          rejected::add,
          (delay, task) -> later.add(task),
          new Bot.LimitedRefusals(
              new Bot.Observer() {
                @Override
                public void refused(String what, String reason) {
                  reports.add(reason);
                }
              },
              System::nanoTime));

  private static TimeControl time(String text) {
    return TimeControl.parse(text).orElseThrow();
  }

  private static PubKey player(int number) {
    return PubKey.ofHex("%064x".formatted(number));
  }

  private static EventId id(int number) {
    return EventId.ofHex("%064x".formatted(number));
  }

  private static ReceivedInvite invite(int number, int author, @Nullable TimeControl time) {
    return new ReceivedInvite(id(number), player(author), time, null, null, number, 0);
  }

  private static ReceivedInvite rematch(int number, int author, int game) {
    return new ReceivedInvite(id(number), player(author), null, null, id(game), 0, 0);
  }

  private static GameView game(int number, int opponent, TimeControl time) {
    GameTerms terms =
        new GameTerms(
            id(number), player(opponent), player(0), Side.BLACK, time, Position.initial(), 0, 0);
    return new GameView(terms, Position.initial(), List.of(), true, null, null, null, null);
  }

  private void connect(String defaultTime) {
    invites.connected(new RelayInfo(player(99), defaultTime, 60, 0, null));
  }

  private void answer(ReceivedInvite invite, @Nullable Exception failure) {
    CompletableFuture<String> answer = accepted.remove(invite);
    if (failure == null) {
      answer.complete("");
    } else {
      answer.completeExceptionally(failure);
    }
  }

  private void refuse(ReceivedInvite invite, String reason) {
    answer(invite, new RefusedException(reason));
  }

  private GameView begin(ReceivedInvite invite, TimeControl time) {
    answer(invite, null);
    assertThat(invites.began(invite.author())).contains(invite);
    GameView game = game(1000 + games.size(), 0, time);
    games.add(game);
    return game;
  }

  private void end(GameView game) {
    games.remove(game);
    invites.ended(game);
  }

  @Test
  void halfOfTheGamesMayBeSlowAlsoIfNoneHasBegunYet() {
    connect("300+3");
    for (int i = 0; i < MAX_GAMES; i++) {
      invites.received(invite(i, i, UNTIMED));
    }
    assertThat(accepted).hasSize(MAX_GAMES / 2);
    assertThat(rejected).hasSize(MAX_GAMES / 2);
    invites.received(invite(50, 50, FAST));
    assertThat(accepted).hasSize(MAX_GAMES / 2 + 1);
  }

  @Test
  void aClockOfThirtyDaysIsSlow() {
    connect("300+3");
    for (int i = 0; i < MAX_GAMES; i++) {
      invites.received(invite(i, i, time("2592000")));
    }
    assertThat(rejected).hasSize(MAX_GAMES / 2);
  }

  @Test
  void anInviteWithoutATimeIsSlowIfTheRelaysDefaultIs() {
    connect("-");
    for (int i = 0; i < MAX_GAMES; i++) {
      invites.received(invite(i, i, null));
    }
    assertThat(rejected).hasSize(MAX_GAMES / 2);
  }

  @Test
  void anInviteWithoutATimeIsFastIfTheRelaysDefaultIs() {
    connect("300+3");
    for (int i = 0; i < MAX_GAMES; i++) {
      invites.received(invite(i, i, null));
    }
    assertThat(rejected).isEmpty();
  }

  @Test
  void aRematchHasTheTimeOfItsGame() {
    connect("300+3");
    invites.ended(game(100, 1, FAST));
    invites.ended(game(101, 1, UNTIMED));
    for (int i = 0; i < MAX_GAMES / 2; i++) {
      invites.received(rematch(i, i, 101));
    }
    invites.received(rematch(50, 50, 101));
    invites.received(rematch(51, 51, 100));
    assertThat(rejected).extracting(ReceivedInvite::id).containsExactly(id(50));
    assertThat(accepted).hasSize(MAX_GAMES / 2 + 1);
  }

  @Test
  void theNextWaitingInviteIsAcceptedIfTheFirstHasBeenWithdrawn() {
    connect("300+3");
    ReceivedInvite a = invite(1, 1, FAST);
    ReceivedInvite b = invite(2, 2, FAST);
    ReceivedInvite c = invite(3, 3, FAST);
    List.of(a, b, c).forEach(invites::received);
    GameView game = begin(a, FAST);
    refuse(b, "invalid: you are playing");
    refuse(c, "invalid: you are playing");
    assertThat(accepted).isEmpty();
    end(game);
    assertThat(accepted).containsOnlyKeys(b);
    refuse(b, "invalid: no such invite, or it is over");
    assertThat(accepted).containsOnlyKeys(c);
    assertThat(rejected).isEmpty();
  }

  @Test
  void acceptancesThatAreUnansweredOrRateLimitedAreRepeatedOneByOneAfterADelay() {
    connect("300+3");
    ReceivedInvite unanswered = invite(1, 1, FAST);
    ReceivedInvite limited = invite(2, 2, FAST);
    invites.received(unanswered);
    invites.received(limited);
    answer(unanswered, new RelayFailure("The relay has not answered in time."));
    refuse(limited, "rate-limited: slow down");
    assertThat(accepted).isEmpty();
    assertThat(reports).containsExactly("rate-limited: slow down");
    assertThat(later).hasSize(1);
    later.remove(0).run();
    assertThat(accepted).containsOnlyKeys(unanswered);
    refuse(unanswered, "rate-limited: slow down");
    later.remove(0).run();
    begin(limited, FAST);
    assertThat(accepted).containsOnlyKeys(unanswered);
    assertThat(later).isEmpty();
  }

  @Test
  void aGameWhoseAcceptanceWasNeverAnsweredIsThatOfItsInvite() {
    connect("300+3");
    ReceivedInvite invite = invite(1, 1, FAST);
    invites.received(invite);
    answer(invite, new RelayFailure("The relay has not answered in time."));
    assertThat(invites.began(player(1))).contains(invite);
    connect("300+3");
    assertThat(accepted).isEmpty();
  }

  @Test
  void ofTwoInvitesOfOneAuthorTheOtherIsRejectedWhenTheGameOfTheFirstHasBegun() {
    connect("300+3");
    ReceivedInvite first = invite(1, 1, FAST);
    ReceivedInvite second = invite(2, 1, FAST);
    invites.received(first);
    invites.received(second);
    begin(first, FAST);
    refuse(second, "invalid: who invites you is playing");
    assertThat(rejected).containsExactly(second);
    assertThat(reports).as("the inviter causes this refusal").isEmpty();
  }

  @Test
  void ofTwoInvitesOfOneAuthorTheGameIsThatOfTheConfirmedOne() {
    connect("300+3");
    ReceivedInvite first = invite(1, 1, FAST);
    ReceivedInvite second = invite(2, 1, FAST);
    invites.received(first);
    invites.received(second);
    begin(second, FAST);
    refuse(first, "invalid: no such invite, or it is over");
    assertThat(rejected).isEmpty();
  }

  @Test
  void invitesWaitForTheFirstConnectionAndTheOldestAreRejectedBeyondTheMaximum() {
    for (int i = 0; i <= BotInvites.MAX_WAITING; i++) {
      invites.received(invite(i, i, FAST));
    }
    assertThat(accepted).isEmpty();
    assertThat(rejected).extracting(ReceivedInvite::id).containsExactly(id(0));
    connect("300+3");
    assertThat(accepted).hasSize(MAX_GAMES);
  }
}
