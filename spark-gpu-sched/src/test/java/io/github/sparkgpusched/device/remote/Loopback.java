package io.github.sparkgpusched.device.remote;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.network.client.RpcResponseCallback;

/**
 * A network inside of one process, for tests. One thread delivers what was sent: of a connection in
 * its order, of all connections in an order that is drawn from a seed. It cuts connections, keeps
 * answers back for ever, and spoils them, as often as the test wants.
 */
final class Loopback implements AutoCloseable {
  /** How often of a thousand deliveries something goes wrong. */
  record Faults(int cuts, int lost, int late, int spoiled) {
    static final Faults NONE = new Faults(0, 0, 0, 0);
  }

  /** What is late is so for as many deliveries of others. */
  private static final int LATE = 20;

  private final Random random;
  private final Thread courier = new Thread(this::deliver, "loopback");

  @GuardedBy("this")
  private final Map<Integer, Station> stations = new HashMap<>();

  @GuardedBy("this")
  private final List<End> ends = new ArrayList<>();

  private volatile Faults faults = Faults.NONE;
  private volatile boolean closed;

  Loopback(long seed) {
    this.random = new Random(seed);
    courier.setDaemon(true);
    courier.start();
  }

  void fail(Faults with) {
    faults = with;
  }

  synchronized Network join() {
    Station station = new Station(stations.size() + 1);
    stations.put(station.port, station);
    return station;
  }

  private void deliver() {
    int late = 0;
    while (!closed) {
      Runnable next = null;
      synchronized (this) {
        List<End> busy = ends.stream().filter(end -> !end.inbound.isEmpty()).toList();
        if (busy.isEmpty()) {
          try {
            wait(1);
          } catch (InterruptedException e) {
            return;
          }
        } else {
          End to = busy.get(random.nextInt(busy.size()));
          int fate = random.nextInt(1000);
          if (fate < faults.cuts()) {
            next = to::cut;
          } else if (fate < faults.cuts() + faults.late() && late++ < LATE) {
            next = Thread::yield; // another one goes first
          } else {
            late = 0;
            next = to.inbound.remove();
          }
        }
      }
      if (next != null) {
        next.run();
      }
    }
  }

  private boolean happens(int ofThousand) {
    return random.nextInt(1000) < ofThousand;
  }

  /** What comes out of a network that is broken: less of it, or other bytes at its begin. */
  private ByteBuffer perhapsSpoiled(ByteBuffer answer) {
    if (!happens(faults.spoiled())) {
      return answer;
    }
    int bytes = answer.remaining();
    byte[] spoiled = new byte[random.nextInt(bytes + 1)];
    answer.duplicate().get(spoiled);
    if (spoiled.length > 5 && random.nextBoolean()) {
      spoiled[1 + random.nextInt(4)] ^= (byte) (1 << random.nextInt(8)); // how many rows there are
    }
    return ByteBuffer.wrap(spoiled);
  }

  @Override
  public void close() {
    closed = true; // the courier, a daemon, ends by itself
  }

  private final class Station implements Network {
    private final int port;
    private volatile Inbox inbox;
    private volatile boolean down;

    Station(int port) {
      this.port = port;
    }

    @Override
    public void begin(Inbox of) {
      inbox = of;
    }

    @Override
    public int port() {
      return port;
    }

    @Override
    public Link to(Peer peer) throws IOException {
      synchronized (Loopback.this) {
        Station other = stations.get(peer.port());
        if (down || other == null || other.down || other.inbox == null) {
          throw new IOException("nobody listens on " + peer.port());
        }
        for (End end : ends) {
          if (end.home == this && end.isClient && end.peer.home == other && end.active) {
            return end;
          }
        }
        End mine = new End(this, true);
        mine.peer = new End(other, false);
        mine.peer.peer = mine;
        ends.add(mine);
        ends.add(mine.peer);
        return mine;
      }
    }

    @Override
    public void close() {
      down = true;
      List<End> mine;
      synchronized (Loopback.this) {
        mine = ends.stream().filter(end -> end.home == this).toList();
      }
      mine.forEach(End::cut);
    }
  }

  /** One end of a connection. */
  private final class End implements Link {
    private final Station home;
    private final boolean isClient;
    private End peer;

    /** What is on its way to this end. Under the lock of the network, as the next two. */
    private final Queue<Runnable> inbound = new ArrayDeque<>();

    private final List<RpcResponseCallback> awaited = new ArrayList<>();
    private volatile boolean active = true;

    End(Station home, boolean isClient) {
      this.home = home;
      this.isClient = isClient;
    }

    @Override
    public boolean isActive() {
      return active;
    }

    @Override
    public void send(ByteBuffer message) {
      ByteBuffer copy = Message.copy(message);
      synchronized (Loopback.this) {
        if (active) {
          peer.inbound.add(() -> peer.home.inbox.receive(peer, copy));
        }
      }
    }

    @Override
    public void ask(ByteBuffer message, RpcResponseCallback answer) {
      ByteBuffer copy = Message.copy(message);
      synchronized (Loopback.this) {
        if (active) {
          awaited.add(answer);
          peer.inbound.add(() -> peer.asked(copy, answer));
          return;
        }
      }
      answer.onFailure(new IOException("not connected"));
    }

    /** The other end has asked. */
    private void asked(ByteBuffer message, RpcResponseCallback answer) {
      RpcResponseCallback back =
          new RpcResponseCallback() {
            @Override
            public void onSuccess(ByteBuffer response) {
              ByteBuffer copy = Message.copy(response);
              synchronized (Loopback.this) {
                if (active && !happens(faults.lost())) {
                  ByteBuffer sent = perhapsSpoiled(copy);
                  peer.inbound.add(() -> peer.answered(answer, sent));
                }
              }
            }

            @Override
            public void onFailure(Throwable e) {
              synchronized (Loopback.this) {
                if (active) {
                  peer.inbound.add(() -> peer.failed(answer, e));
                }
              }
            }
          };
      try {
        home.inbox.receive(this, message, back);
      } catch (RuntimeException e) { // as Spark's transport does
        back.onFailure(e);
      }
    }

    private boolean takeAwaited(RpcResponseCallback answer) {
      synchronized (Loopback.this) {
        return awaited.remove(answer);
      }
    }

    private void answered(RpcResponseCallback answer, ByteBuffer response) {
      if (takeAwaited(answer)) {
        answer.onSuccess(response);
      }
    }

    private void failed(RpcResponseCallback answer, Throwable e) {
      if (takeAwaited(answer)) {
        answer.onFailure(e);
      }
    }

    @Override
    public ByteBuffer ask(ByteBuffer message, long timeoutMillis) throws IOException {
      CompletableFuture<ByteBuffer> came = new CompletableFuture<>();
      ask(
          message,
          new RpcResponseCallback() {
            @Override
            public void onSuccess(ByteBuffer response) {
              came.complete(Message.copy(response));
            }

            @Override
            public void onFailure(Throwable e) {
              came.completeExceptionally(e);
            }
          });
      try {
        return came.get(timeoutMillis, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      } catch (ExecutionException | TimeoutException e) {
        throw new IOException(e);
      }
    }

    /** The connection ends: who waits is told, and both sides are. */
    private void cut() {
      end();
      peer.end();
    }

    private void end() {
      List<RpcResponseCallback> left;
      synchronized (Loopback.this) {
        if (!active) {
          return;
        }
        active = false;
        inbound.clear();
        left = List.copyOf(awaited);
        awaited.clear();
        ends.remove(this);
      }
      left.forEach(answer -> answer.onFailure(new IOException("the connection was cut")));
      home.inbox.gone(this);
    }
  }
}
