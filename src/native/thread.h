/* Threads of POSIX or of Windows.  What is for Windows compiles there; it has never been run. */

#ifndef VALLETTA_THREAD_H
#define VALLETTA_THREAD_H

#include <stdbool.h>

#ifdef _WIN32
typedef void *ThreadHandle;
#else
#include <pthread.h>
typedef pthread_t ThreadHandle;
#endif

/* What a thread does, and to what; both are set before it starts. */
typedef struct {
    void (*work)(void *given);
    void *given;
    ThreadHandle handle;
} Thread;

/* Start a thread, which stays where it is until it is joined; false if there can be no more. */
bool start_thread(Thread *thread);

/* Wait for the end of a thread that was started. */
void join_thread(Thread *thread);

#endif
