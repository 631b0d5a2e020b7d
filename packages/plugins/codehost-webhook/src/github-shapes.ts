import type { JsonObject } from '@countersign/core/plugin';
import { invalidEvent } from './host-event.js';
import { valueAt } from './read-value.js';

/**
 * Members that the body of an event must have and must not have. The event name is in an unsigned header: an attacker
 * who has one delivery must not be able to present it as another event.
 */
const EVENT_SHAPES: Readonly<Record<string, { readonly has: readonly string[]; readonly lacks?: readonly string[] }>> =
  {
    issues: { has: ['issue'], lacks: ['comment'] },
    issue_comment: { has: ['issue', 'comment'] },
    pull_request: { has: ['pull_request'], lacks: ['review', 'comment', 'thread'] },
    pull_request_review: { has: ['pull_request', 'review'] },
    pull_request_review_comment: { has: ['pull_request', 'comment'] },
    push: { has: ['ref', 'after'], lacks: ['ref_type'] },
    check_run: { has: ['check_run'] },
    check_suite: { has: ['check_suite'], lacks: ['check_run'] },
    workflow_run: { has: ['workflow_run'] },
    workflow_job: { has: ['workflow_job'] },
    release: { has: ['release'] },
  };

/** @throws {ApiError} `invalid_event` if the body does not fit the event name */
export function requireShape(event: string, body: JsonObject): void {
  const shape = Object.hasOwn(EVENT_SHAPES, event) ? EVENT_SHAPES[event] : undefined;
  const hasMember = (name: string): boolean => (valueAt(body, name) ?? null) !== null;
  const missing = shape?.has.find((name) => !hasMember(name));
  if (missing !== undefined) throw invalidEvent(`The body of the event "${event}" has no "${missing}".`);
  const unexpected = shape?.lacks?.find(hasMember);
  if (unexpected !== undefined)
    throw invalidEvent(`The body has "${unexpected}", which the event "${event}" does not have.`);
}
