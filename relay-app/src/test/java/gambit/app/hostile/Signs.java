package gambit.app.hostile;

/** The metrics in which an operator sees an attack. */
final class Signs {
  private Signs() {}

  /** Connections ended for a reason. */
  static String closed(String reason) {
    return "gambit_connections_closed_total{reason=\"" + reason + "\"}";
  }

  static String opened() {
    return "gambit_connections_opened_total";
  }

  /** Answers over HTTP. */
  static String answered(int status) {
    return "gambit_http_answers_total{status=\"" + status + "\"}";
  }

  /** Messages with a verb, or {@code invalid}. */
  static String messages(String verb) {
    return "gambit_messages_total{verb=\"" + verb + "\"}";
  }

  /** Events by the verdict on them. */
  static String events(String verdict) {
    return "gambit_events_total{verdict=\"" + verdict + "\"}";
  }

  /** REQs and COUNTs that were ended for a reason. */
  static String queriesRefused(String reason) {
    return "gambit_queries_refused_total{reason=\"" + reason + "\"}";
  }
}
