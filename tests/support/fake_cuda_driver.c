/* A stand-in for the driver's library (libcuda.so.1): one device, on which every piece of work takes 1 ms by events, if
   torch's current stream (7) has both events and the device was waited for once before and once after the block. */
static int active, queued, queued_before, waits, waits_before, on_stream = 1;
int cuDeviceGetCount(int* n) { *n = 1; return 0; }
int cuDeviceGet(int* device, int i) { *device = i; return 0; }
int cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* is_active) { *flags = 0 * device; *is_active = active; return 0; }
int cuCtxSynchronize(void) { ++waits; return 0; }
int cuEventCreate(void** event, unsigned flags) { static int next; *event = (void*)(long)(++next + 0 * flags); return 0; }
int cuEventRecord(void* event, void* stream) {
  on_stream = on_stream && stream == (void*)7;
  if (event == (void*)1) queued_before = queued, waits_before = waits;
  return 0;
}
int cuEventElapsedTime(float* ms, void* begin, void* end) {
  *ms = on_stream && waits_before > 0 && waits == waits_before + 1 ? queued - queued_before : 0;
  return begin == end;
}
/* What a statement calls: makes a context, and queues a piece of work that takes 1 ms by events. */
void queue_work(void) { active = 1; ++queued; }
