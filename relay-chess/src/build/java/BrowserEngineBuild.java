import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.teavm.diagnostics.DefaultProblemTextConsumer;
import org.teavm.diagnostics.Problem;
import org.teavm.tooling.TeaVMTargetType;
import org.teavm.tooling.TeaVMTool;
import org.teavm.vm.TeaVMOptimizationLevel;

/**
 * A step of the build: compiles the engine to WebAssembly, {@code engine.wasm}. It is run from its
 * source, and does nothing if no class of the engine and the rules has changed.
 *
 * <p>Arguments: the directory of the module's classes, and the directory for the result.
 */
final class BrowserEngineBuild {
  private BrowserEngineBuild() {}

  public static void main(String[] args) throws Exception {
    Path classes = Path.of(args[0]);
    Path target = Path.of(args[1]);
    Path builtFrom = target.resolve("classes.sha256");
    String sources = hash(classes.resolve("gambit/chess"));
    if (Files.exists(target.resolve("engine.wasm"))
        && Files.exists(builtFrom)
        && Files.readString(builtFrom).equals(sources)) {
      return;
    }
    Files.deleteIfExists(builtFrom);
    TeaVMTool tool = new TeaVMTool();
    tool.setTargetType(TeaVMTargetType.WEBASSEMBLY_GC);
    tool.setOptimizationLevel(TeaVMOptimizationLevel.FULL);
    tool.setObfuscated(true);
    tool.setMainClass("gambit.chess.engine.uci.BrowserEngine");
    tool.setTargetDirectory(target.toFile());
    tool.setTargetFileName("engine.wasm");
    tool.setClassPath(
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(File::new)
            .toList());
    tool.generate();
    List<Problem> problems = tool.getProblemProvider().getSevereProblems();
    for (Problem problem : problems) {
      DefaultProblemTextConsumer text = new DefaultProblemTextConsumer();
      problem.render(text);
      System.err.println("The engine for browsers: " + text.getText());
    }
    if (!problems.isEmpty()) {
      System.exit(1);
    }
    Files.writeString(builtFrom, sources);
  }

  /** A hash of the classes of the engine and the rules, and of the compiler's path. */
  private static String hash(Path chess) throws Exception {
    MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
    sha256.update(System.getProperty("java.class.path").getBytes());
    for (String name : List.of("engine", "rules")) {
      try (Stream<Path> files = Files.walk(chess.resolve(name))) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          sha256.update(Files.readAllBytes(file));
        }
      }
    }
    return HexFormat.of().formatHex(sha256.digest());
  }
}
