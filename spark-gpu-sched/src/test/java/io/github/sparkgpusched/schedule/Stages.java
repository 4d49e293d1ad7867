package io.github.sparkgpusched.schedule;

/** Stages blocks as a device's owner does. */
public final class Stages {
  private Stages() {}

  /** A block, with room that is made for it if there is none yet. */
  public static Launch stage(Launcher launcher, long from, long until) throws Exception {
    while (true) {
      try {
        return launcher.stage(from, until);
      } catch (NoRoomYetException e) {
        e.makeRoom();
      }
    }
  }
}
