package gambit.app.server.search;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/**
 * Divides text into words: in compatibility form (NFKC), with one apostrophe, without variation
 * selectors, by Unicode's rules (UAX #29), which make a word of each ideograph, and folded by
 * {@link WordFolding}. Thread-safe.
 */
final class WordAnalyzer extends Analyzer {
  /** Characters that choose a form of the one before, such as that of an emoji. */
  private static final Pattern VARIATION_SELECTORS =
      Pattern.compile("[\\x{fe00}-\\x{fe0f}\\x{e0100}-\\x{e01ef}]");

  private static final Pattern APOSTROPHES = Pattern.compile("[\u2018\u2019\u02bc]");

  @Override
  protected Reader initReader(String field, Reader reader) {
    try (reader) {
      StringWriter text = new StringWriter();
      reader.transferTo(text);
      return new StringReader(normalized(text.toString()));
    } catch (IOException e) {
      throw new UncheckedIOException("text in memory can always be read", e);
    }
  }

  private static String normalized(String text) {
    if (text.chars().allMatch(character -> character < 0x80)) {
      return text;
    }
    String compatible = Normalizer.normalize(text, Normalizer.Form.NFKC);
    String plain = VARIATION_SELECTORS.matcher(compatible).replaceAll("");
    return APOSTROPHES.matcher(plain).replaceAll("'");
  }

  @Override
  protected TokenStreamComponents createComponents(String field) {
    StandardTokenizer words = new StandardTokenizer();
    return new TokenStreamComponents(words, new WordFolding(words));
  }

  List<String> words(String text) {
    List<String> words = new ArrayList<>();
    try (TokenStream tokens = tokenStream("text", text)) {
      CharTermAttribute word = tokens.getAttribute(CharTermAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        words.add(word.toString());
      }
      tokens.end();
    } catch (IOException e) {
      throw new UncheckedIOException("text in memory can always be read", e);
    }
    return words;
  }
}
