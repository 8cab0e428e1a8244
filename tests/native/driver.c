/* A driver of CUDA for tests: the GPU is the processor, and its memory the host's.
 *
 * What was called is counted by `fake_count`; `fake_set` makes the driver old, the GPU small, or a
 * call fail.  Streams do nothing but note which of them waited last for which.
 */

#include "device.c"

#include <dlfcn.h>
#include <stdlib.h>

#define CALL __attribute__((visibility("default")))

enum { ALLOCATIONS, FREED, WAITS, LAUNCHES, WAITING, AWAITED, COUNTS };
enum { VERSION, CAPABILITY, MEMORY, FAILURE, SETTINGS };
static long counts[COUNTS], settings[SETTINGS] = {13000, 9, 1L << 30, 0};
static size_t stack = 1024;

CALL long fake_count(int what)
{
    return counts[what];
}
CALL void fake_set(int what, long value)
{
    settings[what] = value;
}
CALL int cuInit(unsigned flags)
{
    return (int)flags;
}
CALL int cuDriverGetVersion(int *version)
{
    *version = (int)settings[VERSION];
    return 0;
}
CALL int cuDeviceGet(int *device, int number)
{
    *device = number;
    return number ? 101 : 0;
}
CALL int cuDeviceGetName(char *name, int size, int device)
{
    strncpy(name, "Processor", (size_t)size);
    return device;
}
CALL int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    *value = (int)settings[CAPABILITY];
    return attribute == 75 ? device : 1;
}
CALL int cuDevicePrimaryCtxRetain(void **context, int device)
{
    *context = counts;
    return device;
}
CALL int cuCtxPushCurrent_v2(void *context)
{
    return context == counts ? 0 : 201;
}
CALL int cuCtxPopCurrent_v2(void **context)
{
    *context = counts;
    return 0;
}
CALL int cuGetErrorString(int code, const char **text)
{
    *text = code == 101 ? "invalid device ordinal" : NULL;
    return 0;
}
CALL int cuModuleLoadData(void **module, const char *image)
{
    *module = dlsym(RTLD_DEFAULT, "abort");
    return strncmp(image, "//", 2) ? 218 : 0;
}
CALL int cuModuleGetFunction(void **function, void *module, const char *name)
{
    Dl_info self;
    (void)module;
    dladdr((void *)(uintptr_t)&cuModuleGetFunction, &self);
    *function = dlsym(dlopen(self.dli_fname, RTLD_NOW), name);
    return *function ? 0 : 500;
}
CALL int cuFuncSetAttribute(void *function, int attribute, int value)
{
    return function && attribute == 8 && value > 0 ? 0 : 1;
}
CALL int cuCtxGetLimit(size_t *value, int limit)
{
    *value = stack;
    return limit;
}
CALL int cuCtxSetLimit(int limit, size_t value)
{
    stack = value;
    return limit;
}
CALL int cuMemGetInfo_v2(size_t *free, size_t *total)
{
    *free = *total = (size_t)settings[MEMORY];
    return 0;
}
CALL int cuMemAlloc_v2(void **place, size_t size)
{
    counts[ALLOCATIONS]++;
    *place = size <= (size_t)settings[MEMORY] ? malloc(size) : NULL;
    return *place ? 0 : 2;
}
CALL int cuMemFree_v2(void *place)
{
    counts[FREED]++;
    free(place);
    return 0;
}
CALL int cuMemsetD8Async(void *place, unsigned char byte, size_t size, void *stream)
{
    (void)stream;
    memset(place, byte, size);
    return 0;
}
CALL int cuMemcpyHtoDAsync_v2(void *to, const void *from, size_t size, void *stream)
{
    (void)stream;
    memcpy(to, from, size);
    return 0;
}
CALL int cuMemcpyDtoHAsync_v2(void *to, const void *from, size_t size, void *stream)
{
    return cuMemcpyHtoDAsync_v2(to, from, size, stream);
}
CALL int cuStreamSynchronize(void *stream)
{
    (void)stream;
    counts[WAITS]++;
    return (int)settings[FAILURE];
}
CALL int cuEventCreate(void **event, unsigned flags)
{
    *event = counts;
    return flags == 2 ? 0 : 1;
}
CALL int cuEventRecord(void *event, void *stream)
{
    (void)event;
    counts[AWAITED] = (long)(intptr_t)stream;
    return 0;
}
CALL int cuStreamWaitEvent(void *stream, void *event, unsigned flags)
{
    (void)event;
    counts[WAITING] = (long)(intptr_t)stream;
    return (int)flags;
}
CALL int cuEventDestroy_v2(void *event)
{
    return event == counts ? 0 : 1;
}
CALL int cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned block,
                        unsigned block_y, unsigned block_z, unsigned shared, void *stream,
                        void **given, void **extra)
{
    const Call *call = given[0];
    bool is_right = (int64_t)x * block >= call->threads && y == 1 && z == 1 && block_y == 1
        && block_z == 1 && (shared == 0 || block == 32) && !extra;
    (void)stream;
    counts[LAUNCHES]++;
    if (is_right) {
        void (*kernel)(const Call *);
        memcpy(&kernel, &function, sizeof kernel);
        kernel(call);
    }
    return is_right ? 0 : 1;
}
