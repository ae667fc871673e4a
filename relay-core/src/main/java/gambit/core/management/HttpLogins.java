package gambit.core.management;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.core.crypto.EventVerifier;
import gambit.core.feature.PostHandler.PostRequest;
import gambit.core.limit.SharedBudget;
import gambit.core.management.Call.CallRefused;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.model.RelayUrls;
import gambit.core.model.Sha256;
import gambit.core.wire.ClientMessage;
import gambit.core.wire.MessageReader;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The logins of HTTP requests (NIP-98): an event in the header {@code Authorization} that names the
 * URL, the method and the hash of the body, and is valid for a minute and for one request.
 * Thread-safe.
 */
final class HttpLogins {
  static final int KIND = 27_235;

  /** The greatest distance between {@code created_at} and the relay's time, in seconds. */
  static final int WINDOW_SECONDS = 60;

  /**
   * The most logins that are remembered, of which one admin has a share; one more is refused until
   * the oldest has expired.
   */
  static final int MAX_REMEMBERED = 10_000;

  private static final String FORGED = "the event's id or signature is wrong";
  private static final Pattern HEADER = Pattern.compile("(?i:Nostr) +([A-Za-z0-9+/_-]+={0,2}) *");

  private final RelayUrls urls;
  private final EventVerifier verifier;
  private final MessageReader reader = new MessageReader(100, 1, kind -> false);

  private final SharedBudget places = new SharedBudget(MAX_REMEMBERED);

  @GuardedBy("remembered")
  private final Map<String, Used> remembered = new LinkedHashMap<>(); // the oldest first

  /** A login of an admin that could be used again until then, in seconds. */
  private record Used(String admin, long until) {}

  HttpLogins(RelayUrls urls, EventVerifier verifier) {
    this.urls = urls;
    this.verifier = verifier;
  }

  interface KeyCheck {
    void require(PubKey key) throws CallRefused;
  }

  /**
   * Checks everything but whether the login was used before; the signature only of a key with
   * rights, because verifying takes the time of the event loop.
   */
  Event check(PostRequest request, Instant now, KeyCheck rights) throws CallRefused {
    Optional<Event> read =
        request.authorization().size() == 1
            ? event(request.authorization().get(0))
            : Optional.empty();
    if (read.isEmpty()) {
      throw invalid(
          "expected the header \"Authorization: Nostr <event of kind 27235 in Base64>\" (NIP-98)");
    }
    Event login = read.get();
    if (login.kind() != KIND) {
      throw invalid("the event is not of kind " + KIND);
    } else if (Math.abs(now.getEpochSecond() - login.createdAt()) > WINDOW_SECONDS) {
      throw invalid(
          "created_at is more than " + WINDOW_SECONDS + " s from the relay's time, " + now);
    } else if (!isThisUrl(only(login, "u"), request.query())) {
      throw invalid(
          "the tag u is not the URL of this request (" + String.join(", ", urls.all()) + ")");
    } else if (!only(login, "method").equals("POST")) {
      throw invalid("the tag method is not POST");
    } else if (!only(login, "payload")
        .equals(HexFormat.of().formatHex(Sha256.digest().digest(request.body())))) {
      throw invalid("the tag payload is not the SHA-256 of the body in lower-case hex");
    } else if (!verifier.hasValidId(login)) {
      throw invalid(FORGED);
    }
    rights.require(login.pubkey());
    if (!verifier.hasValidSignature(login)) {
      throw invalid(FORGED);
    }
    return login;
  }

  private static CallRefused invalid(String reason) {
    return new CallRefused(401, reason);
  }

  /**
   * Remembers a valid login for as long as it could be used again, by the name of its admin;
   * returns why it cannot be used, or null.
   */
  @Nullable String use(String id, String admin, Instant now) {
    synchronized (remembered) {
      Iterator<Used> oldest = remembered.values().iterator();
      while (oldest.hasNext()) {
        Used used = oldest.next();
        if (used.until() >= now.getEpochSecond()) {
          break;
        }
        oldest.remove();
        places.release(Set.of(used.admin()), 1);
      }
      if (remembered.containsKey(id)) {
        return "this login was used before: sign a new one, which differs in created_at or content";
      } else if (!places.reserve(Set.of(admin), 1)) {
        return "too many logins in two minutes, try again later";
      }
      remembered.put(id, new Used(admin, now.getEpochSecond() + 2 * WINDOW_SECONDS));
      return null;
    }
  }

  private Optional<Event> event(String header) {
    Matcher parts = HEADER.matcher(header);
    if (!parts.matches()) {
      return Optional.empty();
    }
    try {
      String base64 = parts.group(1).replace('-', '+').replace('_', '/');
      ByteArrayOutputStream message = new ByteArrayOutputStream();
      message.writeBytes("[\"EVENT\",".getBytes(StandardCharsets.US_ASCII));
      message.writeBytes(Base64.getDecoder().decode(base64));
      message.write(']');
      byte[] bytes = message.toByteArray();
      return reader.read(bytes, bytes.length) instanceof ClientMessage.Publish publish
          ? Optional.of(publish.event())
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The value of the only tag of that name; empty if there is none, or there are several. */
  private static String only(Event login, String name) {
    List<List<String>> tags = login.tags().named(name).toList();
    return tags.size() == 1 && tags.get(0).size() > 1 ? tags.get(0).get(1) : "";
  }

  /** Whether a URL is one of the relay's, by http or ws, with the query of the request. */
  private boolean isThisUrl(String url, String query) {
    int mark = url.indexOf('?');
    String named = mark < 0 ? url : url.substring(0, mark);
    return url.indexOf('#') < 0
        && named.indexOf('@') < 0
        && (mark < 0 ? "" : url.substring(mark + 1)).equals(query)
        && urls.contains(named.replaceFirst("(?i)^http", "ws"));
  }
}
