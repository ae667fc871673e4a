package gambit.app.server.config;

/**
 * A setting given outside a file.
 *
 * @param place what errors print before the value: {@code "--port "}, {@code "GAMBIT_RELAY_PORT="},
 *     {@code "--set relay.port="}
 * @param value its text; a list is one in HOCON, {@code ["a", "b"]}, or has commas between its
 *     items
 */
record GivenSetting(String place, String key, String value) {}
