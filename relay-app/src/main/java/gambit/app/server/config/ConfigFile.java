package gambit.app.server.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import gambit.app.common.ErrorMessages;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a configuration file in HOCON, with the files that it includes. {@code include} takes files
 * only, relative to the including file, and each must exist. URLs and the class path are refused: a
 * configuration must not depend on the network or on the contents of the program's jar.
 */
final class ConfigFile {
  private static final long MAX_BYTES = 1 << 20;
  private static final int MAX_DEPTH = 10;

  /** What the library adds to the description of a fault: advice, in parentheses. */
  private static final Pattern ADVICE = Pattern.compile("\\s*\\(.*", Pattern.DOTALL);

  private static final Pattern RESERVED =
      Pattern.compile("Reserved character '(.)' is not allowed");

  private static final Pattern UNCLOSED = Pattern.compile("close (?:parenthes|brace).*end of file");

  /** The beginning of a library's message: the place, which is printed in our form. */
  private static final Pattern PLACE = Pattern.compile("^.*?: \\d+: ", Pattern.DOTALL);

  private final Set<Path> files;

  ConfigFile(Set<Path> files) {
    this.files = files;
  }

  /** The contents of a file, unresolved; errors name the flag or variable that names the file. */
  Config read(String namedBy, Path file) {
    try {
      return parse(file.toAbsolutePath().normalize(), 0);
    } catch (Refused e) {
      throw new SettingsProblem((e.isPlaced ? "" : namedBy + ": ") + e.fault + ".");
    } catch (ConfigException e) {
      throw new SettingsProblem(sentence(e));
    }
  }

  private Config parse(Path file, int depth) {
    requireReadable(file);
    files.add(file);
    return ConfigFactory.parseFile(
        file.toFile(),
        ConfigParseOptions.defaults()
            .setSyntax(ConfigSyntax.CONF)
            .setAllowMissing(false)
            .setIncluder(new FilesOnly(file, depth)));
  }

  private static void requireReadable(Path file) {
    String fault = ListFile.fault(file, MAX_BYTES);
    if (!fault.isEmpty()) {
      throw new Refused(fault, false);
    }
  }

  static String sentence(ConfigException e) {
    ConfigOrigin origin = e.origin();
    if (origin == null || origin.filename() == null) {
      return "The configuration cannot be read: " + ErrorMessages.of(e) + ".";
    }
    String place = origin.filename() + ", line " + origin.lineNumber() + ": ";
    if (e instanceof ConfigException.UnresolvedSubstitution) {
      return place + "there is no such setting or environment variable: " + substitution(e) + ".";
    }
    if (mayHoldSecret(origin)) {
      return place + "this line is not valid HOCON.";
    }
    return place + "not valid HOCON: " + syntaxFault(String.valueOf(e.getMessage())) + ".";
  }

  private static String syntaxFault(String message) {
    Matcher reserved = RESERVED.matcher(message);
    if (reserved.find()) {
      return "a text with " + reserved.group(1) + " must be in double quotes";
    } else if (UNCLOSED.matcher(message).find()) {
      return "a closing } is missing";
    }
    String fault = PLACE.matcher(message).replaceFirst("");
    return RedactedText.of(ADVICE.matcher(fault).replaceFirst(""));
  }

  private static String substitution(ConfigException e) {
    String message = String.valueOf(e.getMessage());
    int start = message.indexOf("${");
    int end = message.indexOf('}', Math.max(0, start));
    return start < 0 || end < 0 ? "a substitution" : message.substring(start, end + 1);
  }

  /** Whether the line of a syntax error, which the library quotes, may contain a secret. */
  private static boolean mayHoldSecret(ConfigOrigin origin) {
    try {
      List<String> lines = Files.readAllLines(Path.of(origin.filename()));
      int line = origin.lineNumber();
      return lines.stream()
          .skip(Math.max(0, line - 2))
          .limit(2)
          .anyMatch(text -> SettingNames.SECRETS.stream().anyMatch(text::contains));
    } catch (IOException e) {
      return true;
    }
  }

  private final class FilesOnly
      implements ConfigIncluder, ConfigIncluderFile, ConfigIncluderURL, ConfigIncluderClasspath {
    private final Path including;
    private final int depth;

    private FilesOnly(Path including, int depth) {
      this.including = including;
      this.depth = depth;
    }

    @Override
    public ConfigIncluder withFallback(ConfigIncluder fallback) {
      return this;
    }

    @Override
    public ConfigObject include(ConfigIncludeContext context, String what) {
      if (what.contains("://")) {
        throw refused(what, "URLs are not included");
      }
      if (depth == MAX_DEPTH) {
        throw refused(what, "more than " + MAX_DEPTH + " files include each other");
      }
      try {
        return parse(including.resolveSibling(what).normalize(), depth + 1).root();
      } catch (InvalidPathException e) {
        throw refused(what, "this is not the name of a file");
      } catch (Refused e) {
        throw e.isPlaced ? e : refused(what, e.fault);
      }
    }

    @Override
    public ConfigObject includeFile(ConfigIncludeContext context, File what) {
      return include(context, what.getPath());
    }

    @Override
    public ConfigObject includeURL(ConfigIncludeContext context, URL what) {
      throw refused(what.toString(), "URLs are not included");
    }

    @Override
    public ConfigObject includeResources(ConfigIncludeContext context, String what) {
      throw refused(what, "the class path is not included");
    }

    private Refused refused(String what, String reason) {
      return new Refused(
          including + line(what) + ": include \"" + RedactedText.of(what) + "\": " + reason, true);
    }

    /** The line of an include statement; the library does not report it. */
    private String line(String what) {
      try {
        List<String> lines = Files.readAllLines(including);
        for (int i = 0; i < lines.size(); i++) {
          if (lines.get(i).contains("include") && lines.get(i).contains(what)) {
            return ", line " + (i + 1);
          }
        }
      } catch (IOException e) {
        return "";
      }
      return "";
    }
  }

  /** A file that is not read; it passes through the library, so it is unchecked. */
  private static final class Refused extends RuntimeException {
    private final String fault;
    private final boolean isPlaced;

    private Refused(String fault, boolean isPlaced) {
      super(fault);
      this.fault = fault;
      this.isPlaced = isPlaced;
    }
  }
}
