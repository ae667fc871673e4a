package gambit.app.hostile;

/** The names of the metrics in which an attack is visible. */
final class AttackMetrics {
  private AttackMetrics() {}

  /** Connections closed for a reason. */
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

  /** Messages by verb, or {@code invalid}. */
  static String messages(String verb) {
    return "gambit_messages_total{verb=\"" + verb + "\"}";
  }

  /** Events by verdict. */
  static String events(String verdict) {
    return "gambit_events_total{verdict=\"" + verdict + "\"}";
  }

  /** Requests for events refused for a reason. */
  static String queriesRefused(String reason) {
    return "gambit_queries_refused_total{reason=\"" + reason + "\"}";
  }
}
