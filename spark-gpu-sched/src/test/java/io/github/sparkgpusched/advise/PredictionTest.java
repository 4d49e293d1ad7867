package io.github.sparkgpusched.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.sparkgpusched.advise.replay.BusyCurve;
import io.github.sparkgpusched.advise.replay.Replayed;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What stages save of which one follows the other, and the first takes half of its time. */
class PredictionTest {
  private static Replayed replayed(double middle, double end) {
    return new Replayed(end, List.of(0.0, middle), List.of(middle, end), new BusyCurve());
  }

  @Test
  void whatAStageSavesIsNotTheNextOnes() {
    List<Replayed> shared = List.of(replayed(5, 10), replayed(5, 10), replayed(5, 10));
    Predictor.Prediction prediction =
        new Predictor.Prediction(replayed(10, 15), shared, shared, 15);
    assertEquals(5, prediction.saved(List.of(0)).mid());
    assertEquals(0, prediction.saved(List.of(1)).mid());
    assertEquals(5, prediction.saved(List.of(0, 1)).mid());
    assertEquals(5, prediction.savedWithin(List.of(0, 1)).mid());
  }
}
