package gambit.app;

/** The program's entry point. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.out.println(fr.acinq.secp256k1.Secp256k1.get().getClass());
  }
}
