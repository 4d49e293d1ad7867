package io.github.sparkgpusched.advise.replay;

import java.util.List;

/**
 * What came of a replay.
 *
 * @param seconds when the last stage ended
 * @param stageEnds when each stage ended, in seconds since the period began
 * @param busy cores at work over time
 */
public record Replayed(double seconds, List<Double> stageEnds, BusyCurve busy) {}
