package io.github.sparkgpusched.ui;

import org.apache.spark.util.kvstore.KVIndex;

/** A view in the history server's store, which may be on disk: fields as its serializer wants. */
public final class StoredLoad {
  static final String KEY = "gpusched";

  @KVIndex public String id = KEY;

  /** A {@link io.github.sparkgpusched.load.LoadView} as JSON. */
  public String json;

  /** For the store. */
  public StoredLoad() {}

  StoredLoad(String json) {
    this.json = json;
  }
}
