// Natives of ai.rapids.cudf.HostMemoryBufferNativeUtils. See README.md.

#include "natives.h"

NATIVE(jobject, HostMemoryBufferNativeUtils, wrapRangeInBuffer)(JNIEnv* env, jclass, jlong address, jlong bytes) {
  return env->NewDirectByteBuffer((void*)address, bytes);
}
