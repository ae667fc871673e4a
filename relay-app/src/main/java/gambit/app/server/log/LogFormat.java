package gambit.app.server.log;

/** The form of a log line. */
public enum LogFormat {
  /** A line of text, and indented lines for an exception. */
  TEXT,
  /** A JSON object (RFC 8259) on one line. */
  JSON
}
