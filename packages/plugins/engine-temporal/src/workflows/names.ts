/** Names in the task queues and workflow ids of an installation. The prefix separates installations in one namespace. */

/** Returns the task queue of the workflows. */
export function getWorkflowQueue(prefix: string): string {
  return prefix;
}

/** Returns the task queue of the jobs of one type. */
export function getJobQueue(prefix: string, jobType: string): string {
  return `${prefix}:job:${jobType}`;
}

/** Returns the id of the workflow that starts the work of a run. */
export function getRunWorkflowId(prefix: string, runId: string): string {
  return `${prefix}:run:${runId}`;
}

/** Returns the run of a workflow; `undefined` if the workflow belongs to no run of this installation. */
export function findRunId(prefix: string, workflowId: string): string | undefined {
  const start = getRunWorkflowId(prefix, '');
  return workflowId.startsWith(start) ? workflowId.slice(start.length) : undefined;
}

/** Returns the id of the workflow that fires the start timers. */
export function getStartTimersWorkflowId(prefix: string): string {
  return `${prefix}:start-timers`;
}
