package gambit.app.server.search;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenFilter;
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
    if (isAscii(text)) {
      return text;
    }
    String compatible = Normalizer.normalize(text, Normalizer.Form.NFKC);
    String plain = VARIATION_SELECTORS.matcher(compatible).replaceAll("");
    return APOSTROPHES.matcher(plain).replaceAll("'");
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(character -> character < 0x80);
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

  /**
   * Makes words equal that differ only in case, in compatibility characters (NFKD), in accents and
   * other marks of Latin, Greek and Cyrillic, or in Hebrew and Arabic vowel points. Marks of other
   * scripts are kept, because they distinguish words. One thread.
   */
  private static final class WordFolding extends TokenFilter {
    private final CharTermAttribute word = addAttribute(CharTermAttribute.class);

    WordFolding(TokenStream words) {
      super(words);
    }

    @Override
    public boolean incrementToken() throws IOException {
      if (!input.incrementToken()) {
        return false;
      }
      String folded = fold(word.toString());
      word.setEmpty().append(folded);
      return true;
    }

    static String fold(String word) {
      if (isAscii(word)) {
        return word.toLowerCase(Locale.ROOT);
      }
      String letters = Normalizer.normalize(word, Normalizer.Form.NFKD).toLowerCase(Locale.ROOT);
      StringBuilder folded = new StringBuilder(letters.length());
      for (int i = 0; i < letters.length(); i++) {
        char c = letters.charAt(i);
        if (!isDroppedMark(c)) {
          appendBase(folded, c);
        }
      }
      return folded.isEmpty() ? word : folded.toString();
    }

    private static boolean isDroppedMark(char c) {
      return (c >= 0x0300 && c <= 0x036f) // combining diacritical marks
          || (c >= 0x0591 && c <= 0x05c7) // Hebrew points
          || (c >= 0x064b && c <= 0x065f) // Arabic vowel marks
          || c == 0x0670;
    }

    /** Appends a letter, or the basic Latin letters of one that does not decompose. */
    private static void appendBase(StringBuilder to, char c) {
      switch (c) {
        case 'ß' -> to.append("ss");
        case 'æ' -> to.append("ae");
        case 'œ' -> to.append("oe");
        case 'ø' -> to.append('o');
        case 'ł' -> to.append('l');
        case 'đ', 'ð' -> to.append('d');
        case 'þ' -> to.append("th");
        case 'ı' -> to.append('i');
        case 'ς' -> to.append('σ');
        default -> to.append(c);
      }
    }
  }
}
