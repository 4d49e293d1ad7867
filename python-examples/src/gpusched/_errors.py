"""What goes wrong, by kind. Each message says what was given, what is allowed, and what to do."""


class GpuSchedError(Exception):
    """Any error of this package."""


class SetupError(GpuSchedError, RuntimeError):
    """The session cannot have the plugin: a version, the jar, or a setting is in the way."""


class ArgumentError(GpuSchedError, TypeError):
    """A function was declared or called with the wrong number or types of arguments."""


class CudaSourceError(GpuSchedError, ValueError):
    """The CUDA text of a function cannot be used, or disagrees with the function's signature."""


class NotSupportedError(GpuSchedError, NotImplementedError):
    """Spark Connect, or this kind of session, cannot do what was asked."""
