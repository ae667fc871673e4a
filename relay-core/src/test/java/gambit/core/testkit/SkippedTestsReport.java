package gambit.core.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Prints at the end of a build which tests of all modules were skipped, and why. */
public final class SkippedTestsReport {
  private SkippedTestsReport() {}

  /** Reads the test reports under the given folder. */
  public static void main(String[] args) throws Exception {
    int skipped = 0;
    for (Path report : reportsUnder(Path.of(args[0]))) {
      NodeList cases = parse(report).getElementsByTagName("testcase");
      for (int i = 0; i < cases.getLength(); i++) {
        Element test = (Element) cases.item(i);
        NodeList why = test.getElementsByTagName("skipped");
        if (why.getLength() > 0) {
          skipped++;
          System.out.printf(
              "Skipped: %s.%s: %s%n",
              test.getAttribute("classname"),
              test.getAttribute("name"),
              reason((Element) why.item(0)));
        }
      }
    }
    if (skipped == 0) {
      System.out.println("Skipped: nothing");
    }
    if (!TestEffort.isThorough()) {
      System.out.println("Left to CI (-Dgambit.thorough=true): tests with @ThoroughOnly");
    }
  }

  /** The message of an annotation, or the first line of an assumption's exception. */
  private static String reason(Element skipped) {
    String message = skipped.getAttribute("message");
    return message.isEmpty() ? skipped.getTextContent().lines().findFirst().orElse("") : message;
  }

  private static List<Path> reportsUnder(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
          .filter(file -> file.toString().contains("-reports"))
          .sorted()
          .toList();
    }
  }

  private static Element parse(Path report)
      throws IOException, ParserConfigurationException, SAXException {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(report.toFile())
        .getDocumentElement();
  }
}
