package io.github.sparkgpusched.device.remote;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says once of each host that it has tried to talk to this executor in vain. Thread-safe. */
final class Strangers {
  private static final Logger LOG = LoggerFactory.getLogger(Strangers.class);

  /** Hosts that are remembered: a scan of the network is to fill neither memory nor log. */
  private static final int MOST = 100;

  private final Set<String> hosts = ConcurrentHashMap.newKeySet();

  /**
   * @param address null if it is not known
   * @param what it did
   */
  void refused(SocketAddress address, String what) {
    String host =
        address instanceof InetSocketAddress inet
            ? inet.getAddress().getHostAddress()
            : String.valueOf(address);
    if (hosts.size() < MOST && hosts.add(host)) {
      LOG.warn("{} {}; it gets nothing, and this is not said of that host again", address, what);
    }
  }
}
