package gambit.core.testkit;

import gambit.core.model.KindSet;
import gambit.core.model.PubKey;
import gambit.core.nip.AdmissionPolicy;
import gambit.core.nip.AdmissionPolicy.SizeRule;
import gambit.core.nip.OperatorPolicies;
import gambit.core.nip.OperatorPolicies.MemberPolicy;
import gambit.core.nip.OperatorPolicies.ReadPolicy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The operator's policies in the first line of a {@link GoldenFile}: {@code policy}, the name of a
 * setting and its value, in which people and kinds are joined by {@code +}, as in {@code policy
 * writers alice+bob, policy auth_kinds 7+20000-29999, policy max_bytes 1 300, policy members
 * write+read}.
 */
public final class GoldenPolicies {
  private static final Set<String> SETTINGS =
      Set.of(
          "kinds",
          "refused_kinds",
          "pubkeys",
          "refused_pubkeys",
          "trusted",
          "max_bytes",
          "require_auth",
          "writers",
          "open_kinds",
          "auth_kinds",
          "readers",
          "members");

  private final Map<String, String> values = new HashMap<>();

  private GoldenPolicies(List<String> settings) {
    for (String setting : settings) {
      String[] words = setting.split(" ", 3);
      if (words[0].equals("policy")) {
        if (words.length < 3 || !SETTINGS.contains(words[1])) {
          throw new AssertionError("cannot read: " + setting);
        }
        values.put(words[1], words[2]);
      }
    }
  }

  /** The policies of a file; they accept and show everything if it names none. */
  public static OperatorPolicies of(Path file) {
    GoldenPolicies policies = new GoldenPolicies(GoldenFile.settings(file));
    OperatorPolicies operator = new OperatorPolicies(policies.admission(), policies.reads());
    String members = policies.values.getOrDefault("members", "");
    operator.change(new MemberPolicy(members.contains("write"), members.contains("read")));
    return operator;
  }

  private AdmissionPolicy admission() {
    return new AdmissionPolicy(
        new AdmissionPolicy.Kinds(kinds("kinds"), kinds("refused_kinds")),
        new AdmissionPolicy.Authors(
            people("pubkeys"), people("refused_pubkeys"), people("trusted")),
        0,
        Stream.ofNullable(values.get("max_bytes")).map(SizeRule::parse).toList(),
        new AdmissionPolicy.Writers(
            values.containsKey("require_auth"), people("writers"), kinds("open_kinds")));
  }

  private ReadPolicy reads() {
    return new ReadPolicy(kinds("auth_kinds"), people("readers"));
  }

  private KindSet kinds(String setting) {
    return KindSet.union(Stream.ofNullable(values.get(setting)).map(KindSet::parse).toList());
  }

  private Set<PubKey> people(String setting) {
    return Stream.ofNullable(values.get(setting))
        .flatMap(names -> Stream.of(names.split("\\+")))
        .map(name -> Keys.of(name).pubkey())
        .collect(Collectors.toSet());
  }
}
