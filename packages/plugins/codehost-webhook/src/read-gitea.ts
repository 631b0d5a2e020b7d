import type { JsonObject } from '@countersign/core/plugin';
import { readGithubTarget } from './read-github.js';
import { requireShape } from './github-shapes.js';
import { readActionName, requireEventName, type HostEvent, type ReadEvent, type CodeHostTarget } from './host-event.js';
import { valueAt, objectAt } from './read-value.js';

/** GitHub's names of the actions that Gitea names differently. */
const GITHUB_ACTIONS: Readonly<Record<string, string>> = {
  synchronized: 'synchronize',
  label_updated: 'labeled',
  label_cleared: 'unlabeled',
};
const REVIEW_STATES: Readonly<Record<string, string>> = {
  pull_request_approved: 'approved',
  pull_request_rejected: 'changes_requested',
  pull_request_comment: 'commented',
};

/** Reads events of Gitea and Forgejo: bodies as from GitHub, with other names for a few events and actions. */
export const readGiteaEvent: ReadEvent = (header, body) => {
  const event = requireEventName(header('X-Forgejo-Event') ?? header('X-Gitea-Event'), 'X-Gitea-Event');
  const review = Object.hasOwn(REVIEW_STATES, event) ? REVIEW_STATES[event] : undefined;
  return review === undefined ? readPlainEvent(event, body) : readReviewEvent(body, review);
};

function readPlainEvent(event: string, body: JsonObject): HostEvent {
  requireShape(event, body);
  const action = readActionName(valueAt(body, 'action'));
  return { event, action: action === null ? null : toGithubAction(action), about: readGithubTarget(body) };
}

function toGithubAction(action: string): string {
  return (Object.hasOwn(GITHUB_ACTIONS, action) ? GITHUB_ACTIONS[action] : undefined) ?? action;
}

/** Reads a review. Gitea has a separate event for each of the three review states, and the author is the sender. */
function readReviewEvent(body: JsonObject, state: string): HostEvent {
  requireShape('pull_request_review', body);
  const about = readGithubTarget(body);
  return { event: 'pull_request_review', action: 'submitted', about: about === null ? null : withReview(about, state) };
}

function withReview(about: CodeHostTarget, state: string): CodeHostTarget {
  const { details } = about;
  const review = objectAt(details, 'review') ?? {};
  return { ...about, details: { ...details, review: { ...review, state, author: details['sender'] ?? null } } };
}
