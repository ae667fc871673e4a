package gambit.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Terminals of a tmux server of their own, which ends with this object. */
public final class Tmux implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final String socket = "gambit-test-" + UUID.randomUUID();

  /** Whether tmux is there. */
  public static boolean isInstalled() {
    try {
      return new ProcessBuilder("tmux", "-V").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Runs a command in a new terminal with that many columns and rows. */
  public Terminal open(String name, int columns, int rows, List<String> command) {
    List<String> arguments = new ArrayList<>(List.of("new-session", "-d", "-s", name));
    arguments.addAll(List.of("-x", "" + columns, "-y", "" + rows, "--"));
    arguments.addAll(command);
    run(arguments.toArray(String[]::new));
    return new Terminal(name);
  }

  private String run(String... arguments) {
    List<String> command = new ArrayList<>(List.of("tmux", "-u", "-L", socket, "-f", "/dev/null"));
    command.addAll(List.of(arguments));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      return output;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** One terminal, in which a person would type. */
  public final class Terminal {
    private final String name;

    private Terminal(String name) {
      this.name = name;
    }

    /** What the terminal shows. */
    public String text() {
      return run("capture-pane", "-p", "-t", name);
    }

    /** What it shows, with the escape sequences of colours. */
    public String styledText() {
      return run("capture-pane", "-p", "-e", "-t", name);
    }

    public Terminal type(String text) {
      run("send-keys", "-t", name, "-l", text);
      return this;
    }

    /** Presses a key, by its name in tmux. */
    public Terminal press(String key) {
      run("send-keys", "-t", name, key);
      return this;
    }

    public Terminal enter(String line) {
      return type(line).press("Enter");
    }

    public Terminal resize(int columns, int rows) {
      run("resize-window", "-t", name, "-x", "" + columns, "-y", "" + rows);
      return this;
    }

    /** Waits until the terminal shows all of these texts. */
    public Terminal await(String... texts) {
      try {
        Awaitility.await()
            .atMost(TIMEOUT)
            .until(() -> List.of(texts).stream().allMatch(this::shows));
      } catch (ConditionTimeoutException e) {
        throw new AssertionError(name + " does not show " + List.of(texts) + " but\n" + text(), e);
      }
      return this;
    }

    /** Whether a text is shown, in a line or broken between words. */
    private boolean shows(String text) {
      String shown = text();
      return shown.contains(text) || shown.replaceAll("\\s*\n", " ").contains(text);
    }

    /** Waits until the program has ended, which closes its terminal. */
    public void awaitEnd() {
      Awaitility.await()
          .atMost(TIMEOUT)
          .until(() -> !run("list-sessions", "-F", "#S").lines().toList().contains(name));
    }
  }

  @Override
  public void close() {
    run("kill-server");
  }
}
