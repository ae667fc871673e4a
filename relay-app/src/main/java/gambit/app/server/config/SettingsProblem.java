package gambit.app.server.config;

import gambit.app.common.CommandFailure;

/**
 * A fault of the configuration. Its message is one sentence for the operator, with a full stop: the
 * place of the setting (file and line, variable or flag), its key and value, and what was expected.
 * It contains no secret.
 */
public final class SettingsProblem extends CommandFailure {
  public SettingsProblem(String sentence) {
    super(RedactedText.withoutSecretKeys(sentence)); // it may quote a key in the wrong place
  }
}
