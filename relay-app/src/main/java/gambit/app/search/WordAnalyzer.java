package gambit.app.search;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/**
 * Divides text into words: by Unicode's rules (UAX #29), which make a word of each ideograph, and
 * folded by {@link WordFolding}. Thread-safe.
 */
final class WordAnalyzer extends Analyzer {
  @Override
  protected TokenStreamComponents createComponents(String field) {
    StandardTokenizer words = new StandardTokenizer();
    return new TokenStreamComponents(words, new WordFolding(words));
  }

  /** The words of a text in order. */
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
