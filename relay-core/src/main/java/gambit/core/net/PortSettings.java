package gambit.core.net;

/**
 * The settings of the relay's port that can change while it listens. Immutable.
 *
 * @param information the relay information document (NIP-11)
 * @param page what browsers get
 * @param transport how bytes are exchanged; compression applies to connections opened later
 */
public record PortSettings(String information, WebPage page, TransportSettings transport) {}
