package io.github.sparkgpusched.device.remote;

import java.io.Serializable;

/**
 * An executor, and how many of its cores are meant.
 *
 * @param executorId Spark's id
 * @param host where it listens
 * @param port the same
 * @param cores idle ones that it lends, or ones of others that it wants
 */
public record Peer(String executorId, String host, int port, int cores) implements Serializable {
  Peer withCores(int count) {
    return new Peer(executorId, host, port, count);
  }
}
