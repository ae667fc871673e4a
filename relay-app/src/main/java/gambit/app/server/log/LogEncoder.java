package gambit.app.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.encoder.EncoderBase;
import gambit.app.common.SafeText;
import gambit.app.server.log.LogSettings.LogFormat;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Objects;

/**
 * Writes log lines as text or JSON, with the time in ISO 8601. No message can begin a line of its
 * own: control characters are escaped, and the lines of an exception begin with a tab.
 *
 * <p>Bounds of one line: {@link #MAX_MESSAGE_CHARS} of the message, {@link #MAX_FRAMES} frames of
 * an exception and {@link #MAX_CAUSES} causes. Any thread.
 */
public final class LogEncoder extends EncoderBase<ILoggingEvent> {
  static final int MAX_MESSAGE_CHARS = 4_000;
  static final int MAX_FRAMES = 100;
  static final int MAX_CAUSES = 10;
  private static final int MAX_NAME_CHARS = 200;
  private static final byte[] NOTHING = new byte[0];
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT);

  private volatile LogFormat format = LogFormat.TEXT;

  void setFormat(LogFormat wanted) {
    format = wanted;
  }

  LogFormat format() {
    return format;
  }

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    StringBuilder line = new StringBuilder(200);
    if (format == LogFormat.JSON) {
      appendJson(line, event);
    } else {
      appendText(line, event);
    }
    return line.append('\n').toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String time(ILoggingEvent event) {
    return TIME.format(event.getInstant().atZone(ZoneId.systemDefault()));
  }

  private static void appendText(StringBuilder line, ILoggingEvent event) {
    line.append(time(event)).append(' ');
    line.append(String.format("%-5s", event.getLevel())).append(" [");
    SafeText.escape(line, event.getThreadName(), MAX_NAME_CHARS);
    line.append("] ");
    String logger = event.getLoggerName();
    SafeText.escape(line, logger.substring(logger.lastIndexOf('.') + 1), MAX_NAME_CHARS);
    line.append(' ');
    SafeText.escape(line, String.valueOf(event.getFormattedMessage()), MAX_MESSAGE_CHARS);
    IThrowableProxy exception = event.getThrowableProxy();
    if (exception != null) {
      line.append('\n');
      appendException(line, exception);
    }
  }

  private static void appendJson(StringBuilder line, ILoggingEvent event) {
    line.append("{\"time\":\"").append(time(event));
    line.append("\",\"level\":\"").append(event.getLevel());
    appendMember(line, "thread", event.getThreadName());
    appendMember(line, "logger", event.getLoggerName());
    appendMember(line, "message", String.valueOf(event.getFormattedMessage()));
    IThrowableProxy exception = event.getThrowableProxy();
    if (exception != null) {
      StringBuilder trace = new StringBuilder();
      appendException(trace, exception);
      line.append("\",\"exception\":\"");
      SafeText.escapeJson(line, trace.toString(), Integer.MAX_VALUE);
    }
    line.append("\"}");
  }

  private static void appendMember(StringBuilder line, String name, String value) {
    line.append("\",\"").append(name).append("\":\"");
    SafeText.escapeJson(line, value, MAX_MESSAGE_CHARS);
  }

  /** Lines that begin with a tab each, the last one without its end. */
  private static void appendException(StringBuilder out, IThrowableProxy exception) {
    String title = "";
    IThrowableProxy next = exception;
    for (int i = 0; next != null && i < MAX_CAUSES; i++) {
      appendOne(out, title, next);
      IThrowableProxy[] none = {};
      for (IThrowableProxy suppressed : Objects.requireNonNullElse(next.getSuppressed(), none)) {
        out.append('\n');
        appendOne(out, "Suppressed: ", suppressed);
      }
      next = next.isCyclic() ? null : next.getCause();
      title = "Caused by: ";
      if (next != null) {
        out.append('\n');
      }
    }
    if (next != null) {
      out.append("\t…");
    }
  }

  private static void appendOne(StringBuilder out, String title, IThrowableProxy exception) {
    out.append('\t').append(title).append(exception.getClassName());
    if (exception.getMessage() != null) {
      out.append(": ");
      SafeText.escape(out, exception.getMessage(), MAX_MESSAGE_CHARS);
    }
    StackTraceElementProxy[] frames = exception.getStackTraceElementProxyArray();
    int shown = Math.min(frames.length - exception.getCommonFrames(), MAX_FRAMES);
    for (int i = 0; i < shown; i++) {
      out.append("\n\t").append(frames[i].getSTEAsString());
    }
    if (shown < frames.length) {
      out.append("\n\t… ").append(frames.length - shown).append(" more");
    }
  }
}
