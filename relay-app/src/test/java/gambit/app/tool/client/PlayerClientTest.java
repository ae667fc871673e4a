package gambit.app.tool.client;

import static gambit.app.tool.client.RecordingPlayer.failureOf;
import static gambit.app.tool.client.RecordingPlayer.of;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.FreePort;
import gambit.app.LocalRelay;
import gambit.app.tool.client.GameCommands.Act;
import gambit.app.tool.client.GameView.GameClocks;
import gambit.app.tool.client.GameView.GameEnding;
import gambit.app.tool.client.PlayerClient.InviteOptions;
import gambit.chess.game.Proposal;
import gambit.chess.game.Result;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Move;
import gambit.chess.rules.Side;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Players on a relay in this process: games, proposals, invites, refusals, spectators. */
class PlayerClientTest {
  private static final List<String> MATE = List.of("f2f3", "e7e5", "g2g4", "d8h4");
  private static final TimeControl BLITZ = TimeControl.parse("300+3").orElseThrow();

  @TempDir private static Path data;
  private static LocalRelay relay;

  @BeforeAll
  static void start() {
    relay = new LocalRelay(data, 0);
  }

  @AfterAll
  static void stop() {
    relay.close();
  }

  /** Two players of a game that White has invited Black to. */
  private record Game(RecordingPlayer white, RecordingPlayer black) implements AutoCloseable {
    static Game begin(URI url) {
      return begin(RelayPlace.of(url));
    }

    static Game begin(RelayPlace place) {
      return begin(new RecordingPlayer(place), new RecordingPlayer(place));
    }

    static Game begin(RecordingPlayer white, RecordingPlayer black) {
      of(white.client.invite(new InviteOptions(black.client.pubkey(), BLITZ, Side.WHITE, 0)));
      await().until(() -> !black.invites.isEmpty());
      of(black.client.accept(black.invites.get(0).id(), ""));
      white.awaitGame();
      black.awaitGame();
      return new Game(white, black);
    }

    void play(List<String> moves) {
      for (String uci : moves) {
        int plies = white.game().moves().size();
        (plies % 2 == 0 ? white : black).awaitTurn(plies).move(uci);
        white.awaitPlies(plies + 1);
        black.awaitPlies(plies + 1);
      }
    }

    @Override
    public void close() {
      white.close();
      black.close();
    }
  }

  @Test
  void twoPlayersWhoSearchArePairedAndPlayToMate() {
    try (RecordingPlayer alice = new RecordingPlayer(relay.uri());
        RecordingPlayer bob = new RecordingPlayer(relay.uri())) {
      of(alice.client.search(BLITZ));
      of(bob.client.search(BLITZ));
      boolean isAliceWhite = alice.awaitGame().terms().ours() == Side.WHITE;
      bob.awaitGame();
      Game game = isAliceWhite ? new Game(alice, bob) : new Game(bob, alice);
      game.play(MATE);
      alice.awaitEnd();
      bob.awaitEnd();
      await().until(() -> alice.game().ending().record() != null);
      GameView end = alice.game();
      assertThat(end.ending().result()).isEqualTo(Result.BLACK_WINS);
      assertThat(end.ending().termination()).isEqualTo("checkmate");
      assertThat(end.terms().time()).isEqualTo(BLITZ);
      assertThat(end.moves()).extracting(Move::uci).containsExactlyElementsOf(MATE);
      assertThat(end.terms().player(end.terms().ours())).isEqualTo(alice.client.pubkey());
      assertThat(alice.began).hasSize(1);
    }
  }

  @Test
  void clocksRunFromTheThirdPlyAndAgreeOnBothSides() {
    try (Game game = Game.begin(relay.uri())) {
      game.play(List.of("e2e4"));
      assertThat(game.white().game().clocks().running()).isNull();
      game.play(List.of("e7e5"));
      await().until(() -> game.white().game().clocks().running() == Side.WHITE);
      game.play(List.of("g1f3"));
      await()
          .until(
              () ->
                  game.white().game().clocks().white() == game.black().game().clocks().white()
                      && game.white().game().clocks().running() == Side.BLACK);
      GameClocks clocks = game.white().game().clocks();
      assertThat(clocks.left(Side.BLACK, clocks.at() + 5000)).isEqualTo(clocks.black() - 5000);
      assertThat(clocks.left(Side.WHITE, clocks.at() + 5000)).isEqualTo(clocks.white());
      assertThat(clocks.white()).isBetween(240_000L, 303_000L);
    }
  }

  @Test
  void aDrawIsOfferedDeclinedAndAgreed() {
    try (Game game = Game.begin(relay.uri())) {
      game.play(List.of("e2e4", "e7e5"));
      assertThat(of(game.white().client.act(game.white().game(), Act.OFFER_DRAW)))
          .isEqualTo("offer");
      Proposal draw = new Proposal(Proposal.Type.DRAW, Side.WHITE);
      await().until(() -> draw.equals(game.black().game().proposal()));
      assertThat(game.black().game().hasProposalOfOpponent()).isTrue();
      assertThat(game.white().game().hasProposalOfOpponent()).isFalse();
      of(game.black().client.act(game.black().game(), Act.DECLINE));
      await().until(() -> game.white().game().proposal() == null);
      of(game.black().client.act(game.black().game(), Act.OFFER_DRAW));
      await().until(() -> game.white().game().hasProposalOfOpponent());
      of(game.white().client.act(game.white().game(), Act.ACCEPT));
      game.black().awaitEnd();
      assertThat(game.black().game().ending().result()).isEqualTo(Result.DRAW);
    }
  }

  @Test
  void anAcceptedTakebackUndoesTheMovesForBoth() {
    try (Game game = Game.begin(relay.uri())) {
      game.play(List.of("e2e4", "e7e5", "g1f3"));
      of(game.white().client.act(game.white().game(), Act.ASK_TAKEBACK));
      await().until(() -> game.black().game().hasProposalOfOpponent());
      of(game.black().client.act(game.black().game(), Act.ACCEPT));
      game.white().awaitTurn(2);
      game.black().awaitPlies(2);
      game.play(List.of("b1c3", "g8f6"));
      assertThat(game.black().game().moves())
          .extracting(Move::uci)
          .containsExactly("e2e4", "e7e5", "b1c3", "g8f6");
      assertThat(game.black().game().position().fen())
          .isEqualTo(game.white().game().position().fen());
    }
  }

  @Test
  void refusalsAreFailuresWithTheirReasonsAndChangeNothing() {
    try (Game game = Game.begin(relay.uri())) {
      RefusedException illegal = (RefusedException) failureOf(game.white().tryMove("e2e5"));
      assertThat(illegal.prefix()).isEqualTo("invalid");
      assertThat(illegal.reason()).isEqualTo("illegal move e2e5 (1 of 2)");
      assertThat(failureOf(game.black().tryMove("e7e5")))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("not your turn");
      assertThat(failureOf(game.white().client.act(game.white().game(), Act.CLAIM_DRAW)))
          .hasMessage("invalid: nothing to claim");
      assertThat(game.white().game().moves()).isEmpty();
      game.play(List.of("e2e4", "e7e5"));
    }
  }

  @Test
  void anInviteCarriesItsTermsAndMayBeRejected() {
    try (RecordingPlayer alice = new RecordingPlayer(relay.uri());
        RecordingPlayer bob = new RecordingPlayer(relay.uri())) {
      of(alice.client.invite(new InviteOptions(bob.client.pubkey(), BLITZ, Side.BLACK, 3)));
      await().until(() -> !bob.invites.isEmpty());
      ReceivedInvite invite = bob.invites.get(0);
      assertThat(invite.author()).isEqualTo(alice.client.pubkey());
      assertThat(invite.time()).isEqualTo(BLITZ);
      assertThat(invite.inviter()).isEqualTo(Side.BLACK);
      assertThat(invite.level()).isEqualTo(3);
      assertThat(invite.rematchOf()).isNull();
      of(bob.client.reject(invite));
      await().until(() -> !alice.rejections.isEmpty());
    }
  }

  @Test
  void aPendingInviteIsReceivedByAClientThatConnectsLaterAndOnlyOnce() throws Exception {
    Signer bobsKey = Signer.random();
    try (RecordingPlayer alice = new RecordingPlayer(relay.uri());
        CutConnections proxy = new CutConnections(relay.port())) {
      of(alice.client.invite(new InviteOptions(bobsKey.pubkey(), null, null, 0)));
      try (RecordingPlayer bob = new RecordingPlayer(proxy.place(), bobsKey)) {
        await().until(() -> bob.invites.size() == 1);
        proxy.cut();
        bob.awaitConnections(2);
        of(alice.client.invite(new InviteOptions(bobsKey.pubkey(), null, null, 2)));
        await().until(() -> bob.invites.size() == 2);
        assertThat(bob.invites.get(1).level()).isEqualTo(2);
      }
    }
  }

  @Test
  void aRematchHasTheColoursSwapped() {
    try (Game game = Game.begin(relay.uri())) {
      game.play(List.of("e2e4", "e7e5"));
      of(game.white().client.act(game.white().game(), Act.RESIGN));
      game.black().awaitEnd();
      assertThat(game.black().game().ending().termination()).isEqualTo("resignation");
      game.white().awaitEnd();
      of(game.black().client.rematch(game.black().game()));
      await().until(() -> !game.white().invites.isEmpty());
      assertThat(game.white().invites.get(0).rematchOf()).isEqualTo(game.black().game().id());
      of(game.white().client.rematch(game.white().game()));
      await().until(() -> game.white().game().isRunning() && game.black().game().isRunning());
      assertThat(game.white().game().terms().ours()).isEqualTo(Side.BLACK);
    }
  }

  @Test
  void aSpectatorFollowsARunningGameFromItsMiddleToItsEnd() {
    try (Game game = Game.begin(relay.uri());
        RecordingPlayer carol = new RecordingPlayer(relay.uri())) {
      game.play(MATE.subList(0, 2));
      GameView first = of(carol.client.follow(game.white().game().id()));
      assertThat(first.terms().ours()).isNull();
      assertThat(first.complete()).isTrue();
      assertThat(first.moves()).extracting(Move::uci).containsExactly("f2f3", "e7e5");
      game.play(MATE.subList(2, 4));
      await().until(() -> carol.game().ending() != null && carol.game().ending().record() != null);
      assertThat(carol.game().moves()).extracting(Move::uci).containsExactlyElementsOf(MATE);
    }
  }

  @Test
  void aFinishedGameIsFollowedFromItsRecord() {
    try (Game game = Game.begin(relay.uri());
        RecordingPlayer carol = new RecordingPlayer(relay.uri())) {
      game.play(MATE);
      game.white().awaitEnd();
      await()
          .untilAsserted(
              () ->
                  assertThat(of(carol.client.follow(game.white().game().id())).ending())
                      .extracting(GameEnding::result)
                      .isEqualTo(Result.BLACK_WINS));
    }
  }

  @Test
  void aFinishedGameIsFollowedFromItsRecordHoweverManyForgedOnesNameIt(@TempDir Path directory) {
    try (LocalRelay small = new LocalRelay(directory, 0, "limits.default_limit=5");
        Game game = Game.begin(small.uri());
        RecordingPlayer mallory = new RecordingPlayer(small.uri());
        RecordingPlayer carol = new RecordingPlayer(small.uri())) {
      game.play(MATE);
      await().until(() -> game.white().game().ending().record() != null);
      String id = game.white().game().id().hex();
      for (int i = 0; i < 6; i++) {
        Tags tags = new Tags(List.of(List.of("e", id, "", "root"), List.of("n", "" + i)));
        of(mallory.client.publish(64, tags, "1-0"));
      }
      assertThat(of(carol.client.follow(game.white().game().id())).ending())
          .extracting(GameEnding::result)
          .isEqualTo(Result.BLACK_WINS);
    }
  }

  @Test
  void followingAnUnknownGameFails() {
    try (RecordingPlayer carol = new RecordingPlayer(relay.uri())) {
      Event note = Signer.random().sign(0, 1, Tags.NONE, "");
      assertThat(failureOf(carol.client.follow(note.id())))
          .hasMessage("invalid: the relay knows no such game");
    }
  }

  @Test
  void gamesThatAreNotThereDoNotUseUpTheGamesThatAClientMayFollow() {
    try (Game game = Game.begin(relay.uri());
        RecordingPlayer carol = new RecordingPlayer(relay.uri())) {
      for (int i = 0; i < 100; i++) {
        Event note = Signer.random().sign(i, 1, Tags.NONE, "");
        assertThat(failureOf(carol.client.follow(note.id())))
            .hasMessage("invalid: the relay knows no such game");
      }
      assertThat(of(carol.client.follow(game.white().game().id())).isRunning()).isTrue();
    }
  }

  @Test
  void storedCommentsAreDeliveredOnceAlthoughTheConnectionIsMadeAgain() throws Exception {
    try (Game game = Game.begin(relay.uri());
        CutConnections proxy = new CutConnections(relay.port());
        RecordingPlayer carol = new RecordingPlayer(proxy.place());
        RecordingPlayer dave = new RecordingPlayer(relay.uri())) {
      GameView view = of(carol.client.follow(game.white().game().id()));
      of(dave.client.comment(view, "the first"));
      await().until(() -> carol.comments.equals(List.of("the first")));
      proxy.cut();
      carol.awaitConnections(2);
      of(dave.client.comment(view, "the second"));
      await().until(() -> carol.comments.contains("the second"));
      assertThat(carol.comments).containsExactly("the first", "the second");
    }
  }

  @Test
  void spectatorsReadEachOthersComments() {
    try (Game game = Game.begin(relay.uri());
        RecordingPlayer carol = new RecordingPlayer(relay.uri());
        RecordingPlayer dave = new RecordingPlayer(relay.uri())) {
      GameView view = of(carol.client.follow(game.white().game().id()));
      of(dave.client.follow(view.id()));
      of(dave.client.comment(view, "Black is lost"));
      await().until(() -> carol.comments.equals(List.of("Black is lost")));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nips.42=true", "nips.4=false nips.59=false nips.42=false"})
  void aGameContinuesAfterItsConnectionsAreCut(String logins, @TempDir Path directory)
      throws Exception {
    try (LocalRelay relay = new LocalRelay(directory, 0, logins.split(" "));
        CutConnections proxy = new CutConnections(relay.port());
        Game game = Game.begin(proxy.place())) {
      game.play(MATE.subList(0, 1));
      proxy.cut();
      game.white().awaitConnections(2);
      game.black().awaitConnections(2);
      game.play(MATE.subList(1, 4));
      game.white().awaitEnd();
      game.black().awaitEnd();
      assertThat(game.white().began).hasSize(1);
    }
  }

  @Test
  void aStandingOfferIsKnownAfterAReconnectionAndToANewClient() throws Exception {
    Signer key = Signer.random();
    try (CutConnections proxy = new CutConnections(relay.port());
        Game game =
            Game.begin(new RecordingPlayer(relay.uri()), new RecordingPlayer(proxy.place(), key))) {
      game.play(List.of("e2e4"));
      of(game.white().client.act(game.white().game(), Act.OFFER_DRAW));
      await().until(() -> game.black().game().hasProposalOfOpponent());
      proxy.cut();
      game.black().awaitConnections(2);
      awaitResumption(game.black());
      assertThat(game.black().game().hasProposalOfOpponent()).isTrue();
      try (RecordingPlayer again = new RecordingPlayer(relay.uri(), key)) {
        again.awaitGame();
        awaitResumption(again);
        assertThat(again.game().hasProposalOfOpponent()).isTrue();
      }
    }
  }

  @Test
  void anEndingThatWasMissedIsKnownAfterTheReconnection() throws Exception {
    try (CutConnections proxy = new CutConnections(relay.port());
        Game game =
            Game.begin(new RecordingPlayer(relay.uri()), new RecordingPlayer(proxy.place()))) {
      game.play(List.of("e2e4", "e7e5"));
      proxy.refuse();
      await()
          .until(
              () -> {
                GameView.Presence presence = game.white().game().presence();
                return presence != null && presence.blackAwaySince() != null;
              });
      of(game.white().client.act(game.white().game(), Act.RESIGN));
      proxy.cut();
      game.black().awaitEnd();
      GameEnding ending = Objects.requireNonNull(game.black().game().ending());
      assertThat(ending.result()).isEqualTo(Result.BLACK_WINS);
      assertThat(ending.termination()).isEqualTo("resignation");
    }
  }

  /** Waits for the answer to a request that is handled after the one that resumes the game. */
  private static void awaitResumption(RecordingPlayer player) {
    assertThat(failureOf(player.client.act(player.game(), Act.ASK_TAKEBACK)))
        .hasMessage("invalid: a draw offer stands");
  }

  @Test
  void aMoveWhoseAnswerIsLostIsPlayedOnceAndAnsweredAfterTheReconnection() throws Exception {
    try (CutConnections proxy = new CutConnections(relay.port());
        RecordingPlayer bob = new RecordingPlayer(relay.uri());
        Game game = Game.begin(new RecordingPlayer(proxy.place()), bob)) {
      proxy.silence();
      var answer = game.white().tryMove("e2e4");
      bob.awaitTurn(1);
      assertThat(answer).isNotDone();
      proxy.cut();
      assertThat(of(answer)).startsWith("duplicate: ");
      game.white().awaitPlies(1);
      game.play(List.of("e7e5", "g1f3"));
      assertThat(bob.game().moves()).extracting(Move::uci).containsExactly("e2e4", "e7e5", "g1f3");
    }
  }

  @Test
  void anEventWithAWrongSignatureIsIgnored() throws Exception {
    try (CutConnections proxy = new CutConnections(relay.port());
        RecordingPlayer bob = new RecordingPlayer(relay.uri());
        Game game = Game.begin(new RecordingPlayer(proxy.place()), bob)) {
      game.play(List.of("e2e4"));
      proxy.forge("e7e5", "e7e6");
      bob.awaitTurn(1).move("e7e5");
      // The relay's state of the game holds no such text: it is not falsified, or not believed.
      of(game.white().client.query("{\"kinds\":[1],\"limit\":1}"));
      assertThat(game.white().game().moves()).extracting(Move::uci).doesNotContain("e7e6");
      proxy.forge("", "");
      proxy.cut();
      game.white().awaitTurn(2);
      assertThat(game.white().game().moves()).extracting(Move::uci).containsExactly("e2e4", "e7e5");
    }
  }

  @Test
  void aNewClientOfAPlayerResumesTheRunningGame() {
    Signer key = Signer.random();
    try (RecordingPlayer bob = new RecordingPlayer(relay.uri());
        Game game = Game.begin(new RecordingPlayer(relay.uri(), key), bob)) {
      game.play(List.of("e2e4", "e7e5"));
      game.white().close();
      try (RecordingPlayer again = new RecordingPlayer(relay.uri(), key)) {
        GameView resumed = again.awaitTurn(2).game();
        assertThat(resumed.id()).isEqualTo(bob.game().id());
        assertThat(resumed.terms().ours()).isEqualTo(Side.WHITE);
        assertThat(resumed.terms().time()).isEqualTo(BLITZ);
        again.move("g1f3");
        bob.awaitTurn(3);
      }
    }
  }

  @Test
  void aGameWhoseMoveNumberGetsAFifthDigitIsFollowedAndResumed() {
    Signer key = Signer.random();
    String fen = "4k3/8/8/8/8/8/8/4K2R w - - 0 9999";
    try (RecordingPlayer alice = new RecordingPlayer(relay.uri());
        RecordingPlayer bob = new RecordingPlayer(relay.uri(), key)) {
      Tags terms =
          new Tags(
              List.of(
                  List.of("p", key.pubkey().hex()),
                  List.of("color", "white"),
                  List.of("time", "300"),
                  List.of("fen", fen)));
      of(alice.client.publish(5000, terms, "invite"));
      await().until(() -> !bob.invites.isEmpty());
      of(bob.client.accept(bob.invites.get(0).id(), ""));
      alice.awaitGame();
      bob.awaitGame();
      new Game(alice, bob).play(List.of("e1e2", "e8e7"));
      bob.client.close();
      try (RecordingPlayer again = new RecordingPlayer(relay.uri(), key)) {
        alice.awaitTurn(2).move("e2e3");
        again.awaitTurn(3);
        assertThat(again.game().position().fen()).isEqualTo("8/4k3/8/8/8/4K3/8/7R b - - 3 10000");
      }
    }
  }

  @Test
  void aSearchIsRepeatedAfterAReconnection() throws Exception {
    TimeControl time = TimeControl.parse("777").orElseThrow();
    try (CutConnections proxy = new CutConnections(relay.port());
        RecordingPlayer alice = new RecordingPlayer(proxy.place());
        RecordingPlayer bob = new RecordingPlayer(relay.uri())) {
      of(alice.client.search(time));
      proxy.cut();
      alice.awaitConnections(2);
      of(bob.client.search(time));
      assertThat(alice.awaitGame().id()).isEqualTo(bob.awaitGame().id());
    }
  }

  @Test
  void aSearchIsRepeatedBesideASlowGame() throws Exception {
    TimeControl time = TimeControl.parse("778").orElseThrow();
    try (CutConnections proxy = new CutConnections(relay.port());
        RecordingPlayer alice = new RecordingPlayer(proxy.place());
        RecordingPlayer bob = new RecordingPlayer(relay.uri())) {
      InviteOptions slow =
          new InviteOptions(bob.client.pubkey(), TimeControl.UNTIMED, Side.WHITE, 0);
      of(alice.client.invite(slow));
      await().until(() -> !bob.invites.isEmpty());
      of(alice.client.search(time));
      of(bob.client.accept(bob.invites.get(0).id(), ""));
      GameView game = alice.awaitGame();
      proxy.cut();
      alice.awaitConnections(2);
      of(alice.client.move(game, Move.parse("e2e4").orElseThrow(), false));
      of(bob.client.search(time));
      await().until(() -> alice.began.size() == 2 && bob.began.size() == 2);
      assertThat(alice.began.get(1).terms().time()).isEqualTo(time);
    }
  }

  @Test
  void gamesSurviveARestartOfTheRelay(@TempDir Path directory) throws Exception {
    LocalRelay first = new LocalRelay(directory, FreePort.any());
    try (Game game = Game.begin(first.uri())) {
      game.play(MATE.subList(0, 2));
      first.close();
      game.white().awaitLosses(1);
      try (LocalRelay second = new LocalRelay(directory, first.port())) {
        game.white().awaitConnections(2);
        game.black().awaitConnections(2);
        game.play(MATE.subList(2, 4));
        game.white().awaitEnd();
        game.black().awaitEnd();
        assertThat(second.uri()).isEqualTo(first.uri());
      }
    }
  }

  @Test
  void clocksDoNotRunWhileTheRelayIsDownAndBothGetAFewSeconds(@TempDir Path directory)
      throws Exception {
    LocalRelay first = new LocalRelay(directory, FreePort.any());
    try (Game game = Game.begin(first.uri());
        RecordingPlayer carol = new RecordingPlayer(first.uri())) {
      of(carol.client.follow(game.white().game().id()));
      game.play(MATE.subList(0, 2));
      carol.awaitPlies(2);
      await().until(() -> carol.game().clocks() != null);
      GameClocks before = carol.game().clocks();
      first.close();
      long down = System.currentTimeMillis();
      try (LocalRelay second = new LocalRelay(directory, first.port())) {
        for (RecordingPlayer each : List.of(carol, game.white(), game.black())) {
          await().until(() -> each.game().clocks().at() >= down);
          assertThat(each.game().clocks().running()).isEqualTo(Side.WHITE);
          assertThat(each.game().clocks().black()).isEqualTo(before.black() + 15_000);
        }
        assertThat(carol.game().clocks().white()).isEqualTo(before.white() + 15_000);
        assertThat(second.port()).isEqualTo(first.port());
      }
    }
  }

  @Test
  void aClientLogsInWhenARequestIsRefusedWithoutALogin(@TempDir Path directory) {
    try (LocalRelay strict =
            new LocalRelay(
                directory, 0, "chess.require_auth=true", "nips.challenge_on_connect=false");
        Game game = Game.begin(strict.uri())) {
      game.play(MATE);
      game.white().awaitEnd();
    }
  }

  @Test
  void aClientWhoseSubscriptionsAreRefusedIsNotConnectedUntilTheyAreServed(@TempDir Path directory)
      throws Exception {
    String other = Signer.random().pubkey().hex();
    LocalRelay strict =
        new LocalRelay(directory, FreePort.any(), "reads.auth_kinds=*", "reads.readers=" + other);
    CompletableFuture<RelayInfo> connected = new CompletableFuture<>();
    PlayerListener listener =
        new PlayerListener() {
          @Override
          public void connected(RelayInfo found) {
            connected.complete(found);
          }
        };
    try (PlayerClient client = new PlayerClient(strict.uri(), Signer.random(), listener)) {
      assertThat(failureOf(client.connect()))
          .isInstanceOf(RelayFailure.class)
          .hasMessageStartingWith("The relay has ended a subscription: restricted: ");
      strict.close();
      try (LocalRelay open = new LocalRelay(directory, strict.port())) {
        assertThat(connected).succeedsWithin(Duration.ofMinutes(2));
        assertThat(open.port()).isEqualTo(strict.port());
      }
    }
  }

  @Test
  void aSubscriptionThatTheRelayEndsIsMadeAgainOnANewConnection() throws Exception {
    try (CutConnections proxy = new CutConnections(relay.port());
        RecordingPlayer bob = new RecordingPlayer(relay.uri());
        Game game = Game.begin(new RecordingPlayer(behind(proxy)), bob)) {
      game.play(List.of("e2e4"));
      proxy.insert("[\"CLOSED\",\"relay\",\"error: shutting down\"]");
      game.white().awaitConnections(2);
      game.play(List.of("e7e5", "g1f3"));
    }
  }

  /** The relay behind a proxy, to which its events name the relay's own URL. */
  private RelayPlace behind(CutConnections proxy) {
    return new RelayPlace(proxy.uri(), relay.uri().toString(), null);
  }

  @Test
  void aFirstConnectionThatFailsIsReportedWithItsReason() throws Exception {
    URI closed = URI.create("ws://127.0.0.1:" + FreePort.any());
    try (PlayerClient client = new PlayerClient(closed, Signer.random(), new PlayerListener() {})) {
      assertThat(failureOf(client.connect()))
          .isInstanceOf(RelayFailure.class)
          .hasMessage("Cannot connect to " + closed + ": is the relay running there?");
    }
  }

  @Test
  void aClosedClientFailsItsUnansweredCommands() throws Exception {
    try (CutConnections proxy = new CutConnections(relay.port())) {
      RecordingPlayer alice = new RecordingPlayer(proxy.place());
      proxy.silence();
      var answer = alice.client.search(null);
      alice.client.close();
      assertThat(failureOf(answer)).isInstanceOf(RelayFailure.class);
      assertThat(failureOf(alice.client.search(null))).hasMessage("The client was closed.");
    }
  }
}
