package gambit.app.tool.bot;

import gambit.chess.engine.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The options with which an engine can be made weaker. Each level requests an Elo rating ({@code
 * UCI_Elo}) within the engine's range, or a {@code Skill Level}, and a depth; an engine without
 * either has the depth only. Used by one thread.
 */
final class UciStrength {
  private static final Pattern PAIR =
      Pattern.compile(
          " (name|type|default|min|max|var) (.*?)(?= (?:name|type|default|min|max|var) |$)");
  private static final Pattern NUMBER = Pattern.compile("-?\\d{1,9}");
  private static final int[] ELO = {1000, 1350, 1700, 2100};
  private static final int[] SKILL_PERCENT = {0, 15, 40, 70};
  private static final int[] DEPTH = {1, 3, 6, 10};

  private boolean canLimit;
  private int minElo;
  private int maxElo;
  private int minSkill;
  private int maxSkill;

  /** Reads an {@code option} line of the engine: pairs of a keyword and its words, in any order. */
  void read(String line) {
    String name = line.startsWith("option ") ? value(line, "name") : "";
    String type = value(line, "type");
    int min = number(value(line, "min"));
    int max = number(value(line, "max"));
    if (name.equalsIgnoreCase("UCI_LimitStrength") && type.equals("check")) {
      canLimit = true;
    } else if (name.equalsIgnoreCase("UCI_Elo") && type.equals("spin") && min <= max) {
      minElo = min;
      maxElo = max;
    } else if (name.equalsIgnoreCase("Skill Level") && type.equals("spin") && min <= max) {
      minSkill = min;
      maxSkill = max;
    }
  }

  private static String value(String line, String keyword) {
    Matcher matcher = PAIR.matcher(line);
    while (matcher.find()) {
      if (matcher.group(1).equals(keyword)) {
        return matcher.group(2);
      }
    }
    return "";
  }

  private static int number(String text) {
    return NUMBER.matcher(text).matches() ? Integer.parseInt(text) : 0;
  }

  List<String> commands(Level level) {
    List<String> commands = new ArrayList<>();
    boolean isFull = level == Level.FIVE;
    int index = Math.min(level.number(), ELO.length) - 1;
    if (canLimit && maxElo > 0) {
      commands.add("setoption name UCI_LimitStrength value " + !isFull);
      if (!isFull) {
        int elo = Math.max(minElo, Math.min(maxElo, ELO[index]));
        commands.add("setoption name UCI_Elo value " + elo);
      }
    } else if (maxSkill > minSkill) {
      int skill = minSkill + (maxSkill - minSkill) * SKILL_PERCENT[index] / 100;
      commands.add("setoption name Skill Level value " + (isFull ? maxSkill : skill));
    }
    return commands;
  }

  static String limits(Level level, long millis) {
    String depth = level == Level.FIVE ? "" : " depth " + DEPTH[level.number() - 1];
    return "go movetime " + Math.max(1, millis) + depth;
  }
}
