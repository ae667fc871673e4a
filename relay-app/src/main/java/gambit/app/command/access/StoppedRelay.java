package gambit.app.command.access;

import gambit.app.command.management.ManagementChannel;
import gambit.app.common.CommandFailure;
import gambit.app.common.ErrorMessages;
import gambit.app.common.LocalUrls;
import gambit.app.server.data.DataDirectory;
import gambit.app.server.reload.ControlFile;
import gambit.app.server.settings.DataOptions;
import gambit.app.server.settings.Settings;
import gambit.app.tool.client.RelayPlace;
import gambit.chess.session.ChessImports;
import gambit.core.ChangeableSettings;
import gambit.core.EventImport;
import gambit.core.Relay;
import gambit.core.RelayComponents;
import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.lane.TimerDeadlines;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.metrics.Metrics;
import gambit.core.net.OperatorToken;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.net.WebPage;
import gambit.core.nip.OperatorPolicies;
import gambit.core.rate.RateLimits;
import gambit.core.store.disk.DiskEventStore;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A stopped relay, which runs in this process meanwhile, on a loopback port for the operator's
 * connections only. It has the operator's policies and decisions; its games, whose clocks must not
 * run, the house player and the plugin remain stopped.
 */
public final class StoppedRelay implements RelayAccess {
  /** The most requests of a commit: many, since nobody waits for a single answer. */
  private static final int BATCH_REQUESTS = 4096;

  private final Deque<Runnable> closers = new ArrayDeque<>();
  private final Relay relay;
  private final LimitValues limits;
  private final RelayPlace place;

  /**
   * Starts it; the directory is closed with it. A node of a cluster is refused, because the log
   * alone may change its store.
   */
  StoppedRelay(DataDirectory directory, DataOptions options, Map<String, String> environment)
      throws CommandFailure {
    closers.push(directory::close);
    try {
      Settings settings = Settings.read(options.sources(environment).load());
      if (settings.cluster().isOn()) {
        throw new CommandFailure(
            "The relay is stopped, and is a node of a cluster (cluster.servers), which would not"
                + " have what is changed here: start it, or use a node that runs.");
      }
      limits = settings.limits();
      EventVerifier verifier = DataDirectory.loadVerifier();
      Optional<Signer> key = directory.readKey();
      DiskEventStore store = directory.openStore(settings.store().minFreeBytes());
      closers.push(store::close);
      Signer signer = key.isPresent() ? key.get() : directory.createKey(store, false);
      TimerDeadlines deadlines = new TimerDeadlines(StoppedRelay::haltAfterThreadDeath);
      closers.push(deadlines::close);
      OperatorPolicies policies = new OperatorPolicies(settings.admission(), settings.reads());
      policies.change(settings.members());
      String token = ControlFile.newToken();
      RelayComponents parts =
          new RelayComponents(
              new ChangeableSettings(
                  settings.relay().about(),
                  WebPage.NONE,
                  TransportSettings.DEFAULT,
                  limits,
                  RateLimits.NONE,
                  settings.store().retention(),
                  settings.nips()),
              new RelayComponents.Identity(
                  "",
                  settings.relay().ownUrls(settings.tls().isOn(), settings.relay().port()),
                  signer),
              new RelayComponents.Port(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                  null,
                  OperatorToken.required(token)),
              new RelayComponents.Storage(store, BATCH_REQUESTS, null),
              List.of(
                  policies,
                  ManagementChannel.management(settings, policies),
                  new ChessImports(settings.chess())),
              new RelayComponents.Environment(
                  verifier,
                  InstantSource.system(),
                  deadlines,
                  Metrics.NONE,
                  StoppedRelay::haltAfterThreadDeath));
      relay = new Relay(parts);
      closers.push(relay::close);
      place =
          RelayPlace.of(LocalUrls.reachable("ws", relay.address()))
              .withHeaders(Map.of("Authorization", "Bearer " + token));
    } catch (BindException e) {
      close();
      throw new CommandFailure("Cannot listen on a loopback port: " + ErrorMessages.of(e) + ".");
    } catch (Throwable e) {
      close();
      throw e;
    }
  }

  /** Ends the process: without one of the relay's threads, a command would wait for ever. */
  private static void haltAfterThreadDeath(Throwable cause) {
    System.err.println("The command ends: a thread died: " + ErrorMessages.of(cause));
    Runtime.getRuntime().halt(1);
  }

  public EventImport imports() {
    return relay.imports();
  }

  public LimitValues limits() {
    return limits;
  }

  @Override
  public int maxMessageBytes() {
    return limits.get(Limit.MESSAGE_BYTES);
  }

  @Override
  public RelayPlace place() {
    return place;
  }

  @Override
  public void close() {
    while (!closers.isEmpty()) {
      closers.pop().run();
    }
  }
}
