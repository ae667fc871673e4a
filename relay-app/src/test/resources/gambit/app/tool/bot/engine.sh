#!/bin/sh
# A UCI engine for tests: moves the queen's knight there and back, or behaves as wrongly as its argument says; see
# TestUciEngine.
behaviour=$1
tab=$(printf '\t')

write() {
  case $behaviour in
    NOISE)
      LC_ALL=C awk 'BEGIN { for (i = 0; i < 10000; i++) printf "%c", i % 256 }'
      printf '\n\n   \n\r\nbestmoves\nINFO\noption\n \t%s \r\n' "$1"
      ;;
    TABS)
      echo "$1" | tr ' ' "$tab"
      ;;
    PIECEMEAL)
      rest=$1
      while [ -n "$rest" ]; do
        printf %s "${rest%"${rest#?}"}"
        rest=${rest#?}
      done
      echo
      ;;
    *)
      printf '%s\n' "$1"
      ;;
  esac
}

# What White and Black move next, after these moves of both.
set_position() {
  white=b1a3
  black=b8a6
  plies=0
  for move; do
    case $move in
      b1a3) white=a3b1 ;;
      a3b1) white=b1a3 ;;
      b8a6) black=a6b8 ;;
      a6b8) black=b8a6 ;;
    esac
    plies=$((plies + 1))
  done
}

play() {
  if [ $((plies % 2)) = 0 ]; then
    write "bestmove $white ponder e2e4"
  else
    write "bestmove $black ponder e2e4"
  fi
}

go() {
  write 'info depth 1 score cp 31 pv'
  case $behaviour in
    SILENT_AT_GO) ;;
    ENDS_AT_GO) exit 139 ;;
    CLOSES_OUTPUT_AT_GO) exec sleep 86400 >/dev/null ;;
    ILLEGAL_MOVE) write 'bestmove e5e6' ;;
    NO_MOVE) write 'bestmove (none)' ;;
    WRONG_MOVE) write "$(printf 'bestmove \007\033[31mcastles')" ;;
    ENDLESS_LINE) while :; do printf 'bestmove '; done ;;
    ENDLESS_LINES) while :; do echo 'info depth 1'; done ;;
    SECOND_ANSWER)
      play
      write 'bestmove h2h3'
      ;;
    *) play ;;
  esac
}

stay_if_told() {
  if [ "$behaviour" = STAYS ]; then
    exec sleep 86400
  fi
}

case $behaviour in
  ENDS_AT_START) exit 3 ;;
  NOISY_ERRORS) yes 'bestmove a1a1 bestmove a1a1 bestmove a1a1' | head -n 100000 >&2 & ;;
esac
while read -r line; do
  case $behaviour:$line in
    SILENT:*) ;;
    *:uci)
      write "id name Test $behaviour"
      write 'option name UCI_LimitStrength type check default false'
      write 'option name UCI_Elo type spin default 1500 min 1200 max 2000'
      write uciok
      ;;
    *:isready) write readyok ;;
    *:position*moves*) set_position ${line#*moves} ;;
    *:position*) set_position ;;
    *:go*) go ;;
    *:quit)
      stay_if_told
      exit 0
      ;;
  esac
done
stay_if_told
