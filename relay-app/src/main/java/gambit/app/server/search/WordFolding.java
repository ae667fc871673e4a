package gambit.app.server.search;

import java.io.IOException;
import java.text.Normalizer;
import java.util.Locale;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/**
 * Makes words equal that differ only in case, in compatibility characters (NFKD), in accents and
 * other marks of Latin, Greek and Cyrillic, or in Hebrew and Arabic vowel points. Marks of other
 * scripts are kept, because they distinguish words. One thread.
 */
final class WordFolding extends TokenFilter {
  private final CharTermAttribute word = addAttribute(CharTermAttribute.class);

  WordFolding(TokenStream words) {
    super(words);
  }

  @Override
  public boolean incrementToken() throws IOException {
    if (!input.incrementToken()) {
      return false;
    }
    if (!foldAscii()) {
      String folded = fold(word.toString());
      word.setEmpty().append(folded);
    }
    return true;
  }

  /** Folds a word of ASCII in place; returns false if it has other characters. */
  private boolean foldAscii() {
    char[] chars = word.buffer();
    for (int i = 0; i < word.length(); i++) {
      if (chars[i] >= 0x80) {
        return false;
      }
    }
    for (int i = 0; i < word.length(); i++) {
      chars[i] = Character.toLowerCase(chars[i]);
    }
    return true;
  }

  static String fold(String word) {
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
