package io.github.sparkgpusched.it.cluster.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Passes connections on to a port, as long and as fast as it is told. */
final class Proxy {
  private static final int PART_BYTES = 16 << 10;

  private final String host;
  private final int target;
  private final ServerSocket listening;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  /** Waited before each part is passed on, until it is fast again. */
  private volatile long millisEach;

  private volatile long slowUntilNanos = System.nanoTime();

  /** Nothing is passed on before this time. */
  private volatile long stalledUntilNanos = System.nanoTime();

  Proxy(String host, int target) throws IOException {
    this.host = host;
    this.target = target;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Ends all connections. */
  void cut(boolean orderly) {
    for (Socket socket : sockets) {
      try {
        if (!orderly) {
          socket.setSoLinger(true, 0); // a reset
        }
      } catch (IOException e) {
        // It has ended already.
      }
      close(socket);
    }
  }

  /** Each part waits so long, for a while. */
  void slow(long each, long millis) {
    millisEach = each;
    slowUntilNanos = System.nanoTime() + millis * 1_000_000;
  }

  /** Nothing is passed on for a while. */
  void stall(long millis) {
    stalledUntilNanos = System.nanoTime() + millis * 1_000_000;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        daemon(() -> connect(client));
      }
    } catch (IOException e) {
      throw new IllegalStateException("a proxy cannot accept", e);
    }
  }

  private void connect(Socket client) {
    try {
      Socket server = new Socket(host, target);
      for (Socket socket : new Socket[] {client, server}) {
        socket.setTcpNoDelay(true);
        sockets.add(socket);
      }
      daemon(() -> pass(server, client));
      pass(client, server);
    } catch (IOException e) {
      close(client); // the executor has ended
    }
  }

  private void pass(Socket from, Socket to) {
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] part = new byte[PART_BYTES];
      for (int count = in.read(part); count >= 0; count = in.read(part)) {
        delay();
        out.write(part, 0, count);
      }
    } catch (IOException e) {
      // Cut, or one end is gone; then so is the other.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close(from);
      close(to);
    }
  }

  private void delay() throws InterruptedException {
    if (slowUntilNanos - System.nanoTime() > 0) {
      Thread.sleep(millisEach);
    }
    while (stalledUntilNanos - System.nanoTime() > 0) {
      Thread.sleep(10);
    }
  }

  private void close(Socket socket) {
    sockets.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      // It has ended all the same.
    }
  }

  private static void daemon(Runnable run) {
    Thread thread = new Thread(run, "proxy");
    thread.setDaemon(true);
    thread.start();
  }
}
