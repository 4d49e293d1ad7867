package io.github.sparkgpusched.schedule;

/**
 * A block can be staged once its device has got room for it, which may take as long as a kernel
 * runs: the job does not wait for that. See {@link Launcher#stage}.
 */
public final class NoRoomYetException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Room room;

  /** Gets room. Owner's thread. */
  @FunctionalInterface
  public interface Room {
    /**
     * Gets as much as the block needs, or fails. If this returns, the same block finds its room.
     *
     * @throws DeviceMemoryException if there is no room
     * @throws DeviceFailedException if the device has failed
     */
    void make() throws DeviceFailedException, DeviceMemoryException;
  }

  /** No error: neither text nor stack is of use to anybody. */
  public NoRoomYetException(Room room) {
    super(null, null, false, false);
    this.room = room;
  }

  void makeRoom() throws DeviceFailedException, DeviceMemoryException {
    room.make();
  }
}
