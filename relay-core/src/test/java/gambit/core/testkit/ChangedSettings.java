package gambit.core.testkit;

import gambit.core.RelaySettings;
import gambit.core.ingest.Retention;
import gambit.core.limit.Limit;
import gambit.core.limit.Limits;
import gambit.core.net.TransportSettings;
import gambit.core.net.WebPage;
import gambit.core.nip.StandardNips;
import gambit.core.rate.RateLimits;
import java.util.Map;

/** Settings of a relay with one of them changed. */
public final class ChangedSettings {
  private ChangedSettings() {}

  public static RelaySettings with(RelaySettings it, Limit limit, long value) {
    Limits.Builder limits = Limits.builder();
    for (Limit each : Limit.values()) {
      limits.set(each, it.limits().getLong(each));
    }
    return with(it, limits.set(limit, value).build());
  }

  public static RelaySettings with(RelaySettings it, Limits limits) {
    return new RelaySettings(
        it.about(), it.page(), it.transport(), limits, it.rates(), it.retention(), it.nips());
  }

  public static RelaySettings with(RelaySettings it, RateLimits rates) {
    return new RelaySettings(
        it.about(), it.page(), it.transport(), it.limits(), rates, it.retention(), it.nips());
  }

  public static RelaySettings with(RelaySettings it, Retention retention) {
    return new RelaySettings(
        it.about(), it.page(), it.transport(), it.limits(), it.rates(), retention, it.nips());
  }

  public static RelaySettings with(RelaySettings it, StandardNips nips) {
    return new RelaySettings(
        it.about(), it.page(), it.transport(), it.limits(), it.rates(), it.retention(), nips);
  }

  public static RelaySettings with(RelaySettings it, TransportSettings transport) {
    return new RelaySettings(
        it.about(), it.page(), transport, it.limits(), it.rates(), it.retention(), it.nips());
  }

  public static RelaySettings with(RelaySettings it, WebPage page) {
    return new RelaySettings(
        it.about(), page, it.transport(), it.limits(), it.rates(), it.retention(), it.nips());
  }

  public static RelaySettings with(RelaySettings it, Map<String, String> about) {
    return new RelaySettings(
        about, it.page(), it.transport(), it.limits(), it.rates(), it.retention(), it.nips());
  }
}
