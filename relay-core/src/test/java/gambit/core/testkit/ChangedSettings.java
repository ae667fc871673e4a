package gambit.core.testkit;

import gambit.core.ChangeableSettings;
import gambit.core.ingest.Retention;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.net.WebPage;
import gambit.core.nip.StandardNips;
import gambit.core.rate.RateLimits;
import java.util.Map;

/** Settings of a relay with one of them changed. */
public final class ChangedSettings {
  private ChangedSettings() {}

  public static ChangeableSettings with(ChangeableSettings it, Limit limit, long value) {
    return with(it, new TestLimits.Builder(it.limits()).set(limit, value).build());
  }

  public static ChangeableSettings with(ChangeableSettings it, LimitValues limits) {
    return new ChangeableSettings(
        it.about(), it.page(), it.transport(), limits, it.rates(), it.retention(), it.nips());
  }

  public static ChangeableSettings with(ChangeableSettings it, RateLimits rates) {
    return new ChangeableSettings(
        it.about(), it.page(), it.transport(), it.limits(), rates, it.retention(), it.nips());
  }

  public static ChangeableSettings with(ChangeableSettings it, Retention retention) {
    return new ChangeableSettings(
        it.about(), it.page(), it.transport(), it.limits(), it.rates(), retention, it.nips());
  }

  public static ChangeableSettings with(ChangeableSettings it, StandardNips nips) {
    return new ChangeableSettings(
        it.about(), it.page(), it.transport(), it.limits(), it.rates(), it.retention(), nips);
  }

  public static ChangeableSettings with(ChangeableSettings it, TransportSettings transport) {
    return new ChangeableSettings(
        it.about(), it.page(), transport, it.limits(), it.rates(), it.retention(), it.nips());
  }

  public static ChangeableSettings with(ChangeableSettings it, WebPage page) {
    return new ChangeableSettings(
        it.about(), page, it.transport(), it.limits(), it.rates(), it.retention(), it.nips());
  }

  public static ChangeableSettings with(ChangeableSettings it, Map<String, String> about) {
    return new ChangeableSettings(
        about, it.page(), it.transport(), it.limits(), it.rates(), it.retention(), it.nips());
  }
}
