package io.github.sparkgpusched.advise.replay;

import java.util.List;

/**
 * What came of a replay.
 *
 * @param seconds when the last stage ended
 * @param stageStarts when each stage might begin, in seconds since the period began
 * @param stageEnds when it ended, likewise
 * @param busy cores at work over time
 */
public record Replayed(
    double seconds, List<Double> stageStarts, List<Double> stageEnds, BusyCurve busy) {}
