package gambit.app.server.settings;

import gambit.app.server.config.SettingsReader;
import gambit.app.tool.sync.PeerSettings;
import gambit.app.tool.sync.SyncSettings;
import gambit.chess.game.TimeControl;
import gambit.chess.session.play.ChessSettings;
import gambit.chess.session.play.SimultaneousGames;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.model.KindSet;
import gambit.core.model.PubKey;
import gambit.core.model.RelayUrls;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.net.TrustedProxies;
import gambit.core.nip.AdmissionPolicy;
import gambit.core.nip.AdmissionPolicy.Authors;
import gambit.core.nip.AdmissionPolicy.Kinds;
import gambit.core.nip.AdmissionPolicy.SizeRule;
import gambit.core.nip.AdmissionPolicy.Writers;
import gambit.core.nip.OperatorPolicies.MemberPolicy;
import gambit.core.nip.OperatorPolicies.ReadPolicy;
import gambit.core.nip.StandardNips;
import gambit.core.rate.Rate;
import gambit.core.rate.RateLimits;
import gambit.core.rate.RateLimits.Verb;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The section {@code relay}; and what reads the sections {@code limits}, {@code rates}, {@code
 * transport}, {@code nips}, {@code admission}, {@code reads}, {@code members}, {@code chess} and
 * {@code sync}, whose records are those of the libraries, which know no configuration. Immutable.
 *
 * @param about the fields of the information document (NIP-11) that are settings
 */
public record RelaySettings(String listen, int port, List<String> urls, Map<String, String> about) {

  private static final List<String> TEXTS =
      List.of("name", "description", "banner", "icon", "contact", "software", "terms_of_service");

  static RelaySettings read(SettingsReader relay) {
    Map<String, String> about = new LinkedHashMap<>();
    for (String text : TEXTS) {
      about.put(text, relay.text(text));
    }
    about.put("pubkey", relay.pubkey("pubkey").map(PubKey::hex).orElse(""));
    return new RelaySettings(
        relay.text("listen"), relay.count("port", 0, 65_535), urls(relay), about);
  }

  private static List<String> urls(SettingsReader relay) {
    return relay.each(
        "url",
        url -> {
          new RelayUrls(List.of(url)); // checks it
          return url;
        });
  }

  public RelayUrls ownUrls(boolean isEncrypted, int actualPort) {
    List<String> loopback =
        Stream.of("localhost", "127.0.0.1", "[::1]")
            .map(host -> (isEncrypted ? "wss://" : "ws://") + host + ":" + actualPort)
            .toList();
    return new RelayUrls(urls.isEmpty() ? loopback : urls);
  }

  static LimitValues limits(SettingsReader section) {
    Map<Limit, Long> limits = new EnumMap<>(Limit.class);
    for (Limit limit : Limit.values()) {
      limits.put(limit, value(section, limit));
    }
    return section.check(() -> new LimitValues(limits));
  }

  private static long value(SettingsReader section, Limit limit) {
    String key = limit.key();
    return switch (limit.unit()) {
      case COUNT -> section.count(key);
      case BYTES -> section.bytes(key, Integer.MAX_VALUE);
      case TOTAL_BYTES -> section.bytes(key);
      case SECONDS -> seconds(section, key);
    };
  }

  private static int seconds(SettingsReader section, String key) {
    long seconds = section.duration(key).toSeconds();
    if (seconds > Integer.MAX_VALUE) {
      throw section.problem(key, "expected at most " + Integer.MAX_VALUE + " seconds");
    }
    return Math.toIntExact(Math.max(seconds, -1));
  }

  static RateLimits rates(SettingsReader section) {
    return new RateLimits(
        ratesBy(section.section("by_address")), ratesBy(section.section("by_pubkey")));
  }

  private static Map<Verb, Rate> ratesBy(SettingsReader section) {
    Map<Verb, Rate> rates = new EnumMap<>(Verb.class);
    for (String verb : section.keys()) {
      rates.put(Verb.valueOf(verb.toUpperCase(Locale.ROOT)), section.parse(verb, Rate::parse));
    }
    return rates;
  }

  static TransportSettings transport(SettingsReader section) {
    List<String> proxies =
        section.each(
            "proxies",
            range -> {
              TrustedProxies.parse(List.of(range)); // checks it
              return range;
            });
    return new TransportSettings(section.bool("compress"), TrustedProxies.parse(proxies));
  }

  static StandardNips nips(SettingsReader section) {
    Set<Integer> off = new HashSet<>();
    for (Integer nip : StandardNips.SWITCHES) {
      if (!section.bool(nip.toString())) {
        off.add(nip);
      }
    }
    return section.check(
        () ->
            new StandardNips(
                off,
                section.bool("challenge_on_connect"),
                section.count("min_difficulty", 0, 256)));
  }

  static SyncSettings sync(SettingsReader section) {
    List<PeerSettings> peers = section.each("peers", PeerSettings::parse);
    if (peers.size() > SyncSettings.MAX_PEERS) {
      throw section.problem("peers", "expected at most " + SyncSettings.MAX_PEERS + " peers");
    }
    Duration interval = section.duration("interval");
    if (interval.compareTo(SyncSettings.MIN_INTERVAL) < 0) {
      throw section.problem("interval", "expected a time of at least 10s");
    }
    return new SyncSettings(peers, interval);
  }

  /** The settings of chess; without the web page, to which they link, there are no reminders. */
  static ChessSettings chess(SettingsReader section, boolean isWebEnabled) {
    return section.check(
        () ->
            new ChessSettings(
                section.duration("max_clock_skew"),
                section.duration("abandon_grace"),
                section.duration("first_move_limit"),
                section.duration("lag_allowance"),
                section.parse("default_time", RelaySettings::timeControl),
                section.bool("require_auth"),
                section.bool("require_relay_tag"),
                section.count("slow_games", 0, SimultaneousGames.LIMIT),
                section.bool("reminders") && isWebEnabled,
                section.count("jester_games", 0, 1_000_000),
                section.count("jester_games_in_all", 0, 1_000_000),
                SimultaneousGames.NONE));
  }

  private static TimeControl timeControl(String text) {
    return TimeControl.parse(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "expected a time control such as 300, 300+3, 1/600 or -"));
  }

  static AdmissionPolicy admission(SettingsReader section) {
    Duration maxAge = section.duration("max_age");
    if (maxAge.isNegative()) {
      throw section.problem("max_age", "expected a time that is not negative");
    }
    return section.check(
        () ->
            new AdmissionPolicy(
                new Kinds(onlyThese(section, "kinds"), section.kinds("refused_kinds")),
                new Authors(
                    onlyThesePubkeys(section, "pubkeys"),
                    section.pubkeys("refused_pubkeys"),
                    section.pubkeys("trusted")),
                maxAge.toSeconds(),
                section.eachOrFromFile("max_bytes", SizeRule::parse),
                new Writers(
                    section.bool("require_auth"),
                    onlyThesePubkeys(section, "writers"),
                    section.kinds("open_kinds"))));
  }

  static ReadPolicy reads(SettingsReader section) {
    return section.check(
        () ->
            new ReadPolicy(onlyThese(section, "auth_kinds"), onlyThesePubkeys(section, "readers")));
  }

  static MemberPolicy members(SettingsReader section) {
    return new MemberPolicy(section.bool("write"), section.bool("read"));
  }

  private static KindSet onlyThese(SettingsReader section, String key) {
    KindSet kinds = section.kinds(key);
    requireItems(section, key, kinds.isEmpty());
    return kinds;
  }

  private static Set<PubKey> onlyThesePubkeys(SettingsReader section, String key) {
    Set<PubKey> pubkeys = section.pubkeys(key);
    requireItems(section, key, pubkeys.isEmpty());
    return pubkeys;
  }

  /** An empty list means everybody or everything; an empty file is more likely a mistake. */
  private static void requireItems(SettingsReader section, String key, boolean isEmpty) {
    if (isEmpty && !section.texts(key).isEmpty()) {
      throw section.problem(key, "expected a file with at least one item; [] restricts nothing");
    }
  }

  static void requireLogins(SettingsReader all, Settings settings) {
    if (!settings.nips().off().contains(42)) {
      return;
    }
    if (settings.admission().writers().needLogin()) {
      throw all.conflict(
          "admission.require_auth and admission.writers need logins (nips.42)",
          "nips.42",
          "admission.require_auth",
          "admission.writers");
    }
    if (!settings.reads().kinds().isEmpty()) {
      throw all.conflict("reads.auth_kinds needs logins (nips.42)", "nips.42", "reads.auth_kinds");
    }
    if (settings.members().read()) {
      throw all.conflict("members.read needs logins (nips.42)", "nips.42", "members.read");
    }
  }
}
