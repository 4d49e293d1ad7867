package io.github.sparkgpusched.device.cuda;

import io.github.sparkgpusched.api.CudaSource;
import io.github.sparkgpusched.api.GpuUdf;
import io.github.sparkgpusched.device.cuda.ScheduleChoice.Schedule;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The choices of a device, by kernel, for functions whose strategy is {@code auto}. Thread-safe.
 */
final class ScheduleChoices {
  private static final Logger LOG = LoggerFactory.getLogger(ScheduleChoices.class);

  /** Without sharing and hybrid: each trial costs launches, and these are stealing and more. */
  private static final List<String> STRATEGIES = List.of("stealing", "static", "counter");

  private final String device;
  private final ConcurrentMap<String, ScheduleChoice> choices = new ConcurrentHashMap<>();

  ScheduleChoices(String device) {
    this.device = device;
  }

  /**
   * How the next launch of a kernel shares its rows.
   *
   * @param kernel key of its image
   * @param settings the function's
   */
  BlockSettings next(String kernel, GpuUdf udf, BlockSettings settings, long rows) {
    if (!settings.isChosen()) {
      return settings;
    }
    Schedule next =
        choices
            .computeIfAbsent(kernel, k -> new ScheduleChoice(schedules(udf, settings)))
            .next(rows);
    return settings.with(next.strategy()).inForm(next.form());
  }

  /** Whether a launch that had settings of {@link #next} is to be measured. */
  boolean isTimed(String kernel, BlockSettings had, long rows) {
    ScheduleChoice choice = choices.get(kernel);
    return choice != null && choice.isTimed(new Schedule(had.strategy(), had.form()), rows);
  }

  /** Both forms of a function in steps, unless the configuration wants rows. */
  private static List<Schedule> schedules(GpuUdf udf, BlockSettings settings) {
    boolean steps =
        udf.cuda().filter(CudaSource::steps).isPresent() && settings.form().equals("steps");
    Stream<String> forms = steps ? Stream.of("steps", "rows") : Stream.of(settings.form());
    return forms
        .flatMap(form -> STRATEGIES.stream().map(strategy -> new Schedule(strategy, form)))
        .toList();
  }

  /** What a launch took that had settings of {@link #next}; says so if that changes the choice. */
  void took(String kernel, String name, BlockSettings had, long rows, long nanos) {
    ScheduleChoice choice = choices.get(kernel);
    if (choice == null) {
      return;
    }
    Optional<Schedule> chosen =
        Optional.ofNullable(choice.took(new Schedule(had.strategy(), had.form()), rows, nanos));
    chosen.ifPresent(
        now ->
            LOG.info(
                "thread blocks of {} share rows of '{}' by {} from now on", device, name, now));
  }
}
