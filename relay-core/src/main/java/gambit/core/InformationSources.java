package gambit.core;

import gambit.core.feature.InformationFields;
import gambit.core.nip.RelayInformation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * What the features add to the relay information document (NIP-11). Filled while they are
 * installed; after that, any thread may make the document.
 */
final class InformationSources {
  private final RelayComponents.Identity relay;
  private final List<Consumer<InformationFields>> sources = new ArrayList<>();

  InformationSources(RelayComponents.Identity relay) {
    this.relay = relay;
  }

  /** Adds a source, which sets its fields each time that the document is made. */
  void add(Consumer<InformationFields> source) {
    sources.add(source);
  }

  /** The document for these settings. */
  RelayInformation document(ChangeableSettings settings) {
    Map<String, Map<String, ?>> descriptions = new LinkedHashMap<>();
    Map<String, Object> limitation = new LinkedHashMap<>();
    Map<String, String> about = new LinkedHashMap<>(settings.about());
    TreeSet<Integer> supported = new TreeSet<>();
    InformationFields fields =
        new InformationFields() {
          @Override
          public void supports(int nip) {
            supported.add(nip);
          }

          @Override
          public void about(String field, String text) {
            about.put(field, text);
          }

          @Override
          public void describe(String field, Map<String, ?> value) {
            descriptions.put(field, value);
          }

          @Override
          public void limitation(String field, Object value) {
            limitation.put(field, value);
          }
        };
    sources.forEach(source -> source.accept(fields));
    return new RelayInformation(
        about,
        relay.signer().pubkey(),
        relay.version(),
        supported,
        settings.limits(),
        limitation,
        descriptions);
  }
}
