package gambit.core.feature;

import java.util.Map;

/** Fields of the relay information document (NIP-11) that features set. */
public interface InformationFields {
  /** Lists a NIP in {@code supported_nips}. */
  void supports(int nip);

  /** Sets a text that otherwise is a setting, such as {@code name}. */
  void about(String field, String text);

  /** Adds an object to the document. */
  void describe(String field, Map<String, ?> value);

  /** Sets a value of the document's {@code limitation} that a feature enforces. */
  void limitation(String field, Object value);
}
