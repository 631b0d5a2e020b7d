// The SDK records a stack trace with each promise of a workflow, for its `__stack_trace` query, and looks up the source
// of each line. This took two fifths of the time of the thread that executes the workflows. The bundle loads this file
// first. Errors of workflows have no stack traces as a consequence; their messages remain.
Error.stackTraceLimit = 0;
