/* Threads: the only code that differs between platforms. */

#include "thread.h"

#ifdef _WIN32

#include <process.h>
#include <windows.h>

static unsigned __stdcall run(void *given)
{
    Thread *thread = given;
    thread->work(thread->given);
    return 0;
}

bool start_thread(Thread *thread)
{
    thread->handle = (HANDLE)_beginthreadex(NULL, 0, run, thread, 0, NULL);
    return thread->handle != NULL;
}

void join_thread(Thread *thread)
{
    WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
}

#else

static void *run(void *given)
{
    Thread *thread = given;
    thread->work(thread->given);
    return NULL;
}

bool start_thread(Thread *thread)
{
    return !pthread_create(&thread->handle, NULL, run, thread);
}

void join_thread(Thread *thread)
{
    pthread_join(thread->handle, NULL);
}

#endif
