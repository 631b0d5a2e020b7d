import type { RunEventType } from '@countersign/model';

/** The event types that end a run. */
export const RUN_END_EVENTS = Object.freeze([
  'run.completed',
  'run.failed',
  'run.cancelled',
  'run.rejected',
] as const satisfies readonly RunEventType[]);

/** Returns whether the stream of run events ends after this event. */
export function endsRun(event: { readonly type: string }): boolean {
  return (RUN_END_EVENTS as readonly string[]).includes(event.type);
}
