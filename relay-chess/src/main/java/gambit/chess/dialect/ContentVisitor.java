package gambit.chess.dialect;

/**
 * A method for each kind of {@link PlayerEvent.Content}.
 *
 * @param <R> the result
 */
public interface ContentVisitor<R> {
  R asks(PlayerEvent.Content.Asks content);

  R mistyped(PlayerEvent.Content.Mistyped content);

  R malformed(PlayerEvent.Content.Malformed content);
}
