package gambit.chess.dialect;

/**
 * A method for each kind of {@link Request}.
 *
 * @param <R> the result
 */
public interface RequestVisitor<R> {
  R connect(Request.Connect request);

  R cancelSearch(Request.CancelSearch request);

  R invite(Request.Invite request);

  R acceptInvite(Request.AcceptInvite request);

  R rejectInvite(Request.RejectInvite request);

  R rematch(Request.Rematch request);

  R malformedTag(Request.MalformedTag request);

  R quit(Request.Quit request);

  /** The other requests about the running game. */
  R inGame(Request.InGame request);
}
