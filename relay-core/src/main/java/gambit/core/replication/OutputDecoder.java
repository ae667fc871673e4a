package gambit.core.replication;

import gambit.core.crypto.LazilySignedEvent;
import gambit.core.crypto.Signer;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Outgoing.Fallback;
import gambit.core.feature.Submission;
import gambit.core.feature.WriteOutcome;
import gambit.core.log.LimitedLog;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.replication.Effect.Client;
import gambit.core.replication.Effect.NumberedClient;
import gambit.core.replication.LeaderLink.ForwardedCommit;
import gambit.core.store.StoredEvent;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Reads what {@link OutputEncoder} has written, as one node that has applied the entry's group.
 * Effects on other nodes and on connections that have closed are skipped. One thread.
 */
final class OutputDecoder {
  private static final LimitedLog LOG = LimitedLog.of(OutputDecoder.class);

  private final long node;
  private final LeaderLink link;
  private final Signer signer;
  private final EffectCodec codec = new EffectCodec();

  OutputDecoder(long node, LeaderLink link, Signer signer) {
    this.node = node;
    this.link = link;
    this.signer = signer;
  }

  /**
   * Reads the effects of an entry. Its login requests have been carried out when this returns, and
   * its answers and outcomes have removed their requests.
   *
   * @param settled receives what is called once that is released
   * @throws IllegalArgumentException when these are no effects, or the relay has another key
   */
  void decode(
      byte[] effects, List<StoredEvent> added, List<Outgoing> output, List<Runnable> settled) {
    codec.begin(added.stream().map(StoredEvent::event).toList());
    for (Effect effect : codec.read(effects)) {
      if (effect instanceof Effect.Broadcast it) {
        output.add(new Outgoing.Broadcast(it.event(), fallbacks(it.fallbacks())));
      } else if (effect instanceof Effect.Multicast it) {
        multicast(it, output);
      } else if (effect instanceof Effect.OutputReport it) {
        outputReport(it, output);
      } else if (effect instanceof Effect.SubscriptionCheck it) {
        output.add(new Outgoing.SubscriptionCheck(it.event()));
      } else if (effect instanceof Effect.Current it) {
        current(it, output);
      } else if (effect instanceof Effect.StateRemoval it) {
        output.add(new Outgoing.StateRemoval(it.key(), it.kind()));
      } else if (effect instanceof Effect.StatesEnd it) {
        if (it.node() == node) {
          link.statesArrived();
        }
      } else if (effect instanceof Effect.Answer it) {
        answer(it, output);
      } else if (effect instanceof Effect.LateOk it) {
        receiver(it.to()).ifPresent(to -> output.add(new Outgoing.LateOk(to, it.ok())));
      } else if (effect instanceof Effect.LoginRequest it) {
        requestLogin(it.to());
      } else if (effect instanceof Effect.Outcome it) {
        if (it.node() == node) {
          settle(it.request(), it.outcome(), output, settled);
        }
      }
    }
  }

  /** A connection to this node that gets output of the leader's features, unless it has closed. */
  private Optional<ClientConnection> receiver(Client client) {
    return client.node() == node ? link.receiver(client.number()) : Optional.empty();
  }

  private Set<ClientConnection> receivers(List<Client> clients) {
    return clients.stream().flatMap(it -> receiver(it).stream()).collect(Collectors.toSet());
  }

  private List<Fallback> fallbacks(List<NumberedClient> clients) {
    return clients.stream()
        .flatMap(it -> receiver(it.client()).map(to -> new Fallback(to, it.number())).stream())
        .toList();
  }

  private void multicast(Effect.Multicast effect, List<Outgoing> output) {
    Set<ClientConnection> to = receivers(effect.to());
    List<Fallback> fallbacks = fallbacks(effect.fallbacks());
    long report = effect.report();
    if (!to.isEmpty() || !fallbacks.isEmpty()) {
      Consumer<Boolean> whetherSent = isSent -> link.report(report, isSent);
      output.add(
          report == 0
              ? new Outgoing.Multicast(effect.event(), to, fallbacks)
              : new Outgoing.Multicast(effect.event(), to, fallbacks, whetherSent));
    } else if (report != 0 && Effect.nodes(effect.to(), effect.fallbacks()).contains(node)) {
      link.report(report, false);
    }
  }

  private void outputReport(Effect.OutputReport effect, List<Outgoing> output) {
    Set<ClientConnection> of = receivers(effect.of());
    if (!of.isEmpty()) {
      output.add(new Outgoing.OutputReport(of, () -> link.report(effect.report(), true)));
    } else if (Effect.nodes(effect.of(), List.of()).contains(node)) {
      link.report(effect.report(), false);
    }
  }

  private void current(Effect.Current effect, List<Outgoing> output) {
    LazilySignedEvent state = signer.signLazily(effect.event());
    if (effect.node() == 0 || effect.node() == node) {
      output.add(
          new Outgoing.Current(
              effect.key(), effect.kind(), effect.about(), () -> state, effect.ends()));
    }
  }

  private void answer(Effect.Answer effect, List<Outgoing> output) {
    String id = effect.ok().id();
    if (effect.to().node() == node && Hex.isLowerCase(id, EventId.DIGITS)) {
      Submission answered = link.answered(effect.to().number(), EventId.ofHex(id));
      if (answered != null) {
        output.add(new Outgoing.Answer(answered, effect.ok()));
      }
    }
  }

  private void requestLogin(Client client) {
    if (client.node() == node) {
      link.connection(client.number()).ifPresent(ClientConnection::requestLogin);
    }
  }

  private void settle(
      long request, WriteOutcome outcome, List<Outgoing> output, List<Runnable> settled) {
    ForwardedCommit commit = link.settled(request);
    if (commit != null) {
      try {
        output.addAll(commit.outcome().apply(outcome));
      } catch (RuntimeException e) {
        LOG.error("The output of a request failed; this is a bug", e);
      }
      settled.add(() -> commit.settled().accept(outcome));
    }
  }
}
