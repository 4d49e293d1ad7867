package com.nvidia.spark;

/** Stands for the RAPIDS Accelerator's interface, which the plugin knows by its name alone. */
public interface RapidsUDF {}
