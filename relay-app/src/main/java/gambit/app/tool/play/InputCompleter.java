package gambit.app.tool.play;

import gambit.app.tool.client.GameView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;
import org.jspecify.annotations.Nullable;

/**
 * Completes the first word: the commands, and while the player is to move, the legal moves in SAN
 * and UCI. Called by the thread that reads lines.
 */
final class InputCompleter implements Completer {
  private final Supplier<@Nullable GameView> game;

  InputCompleter(Supplier<@Nullable GameView> game) {
    this.game = game;
  }

  @Override
  public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    if (line.wordIndex() == 0) {
      words(game.get()).forEach(word -> candidates.add(new Candidate(word)));
    }
  }

  /** What may be typed first. */
  static List<String> words(@Nullable GameView view) {
    List<String> words = new ArrayList<>();
    if (view != null && view.isOurTurn()) {
      words.addAll(TypedMove.all(view.position()));
    }
    for (PlayerInput.Word word : PlayerInput.Word.values()) {
      words.add(word.text());
    }
    return words;
  }
}
