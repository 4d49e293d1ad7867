package io.github.sparkgpusched.device.remote;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Stands between a client and a server on this host, for one connection, and records the first. */
final class Recorder implements AutoCloseable {
  private final ServerSocket listening;
  private final int target;
  private final ByteArrayOutputStream record = new ByteArrayOutputStream();

  Recorder(int target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** What the client has sent so far. */
  byte[] bytes() {
    synchronized (record) {
      return record.toByteArray();
    }
  }

  private void accept() {
    try (Socket client = listening.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
      daemon(() -> pass(server, client, false));
      pass(client, server, true);
    } catch (IOException e) {
      // The test is over.
    }
  }

  private void pass(Socket from, Socket to, boolean recorded) {
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] part = new byte[4096];
      for (int count = in.read(part); count >= 0; count = in.read(part)) {
        if (recorded) {
          synchronized (record) {
            record.write(part, 0, count);
          }
        }
        out.write(part, 0, count);
      }
    } catch (IOException e) {
      // One of them is gone.
    }
  }

  private static void daemon(Runnable run) {
    Thread thread = new Thread(run, "recorder");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
