import type { JsonObject } from '@countersign/core/plugin';
import { githubSubject } from './read-github.js';
import { requireShape } from './github-shapes.js';
import { actionName, eventName, type HostEvent, type ReadEvent, type CodeHostTarget } from './host-event.js';
import { at, objectAt } from './pick.js';

/** Gitea's names that differ from GitHub's. */
const ACTIONS: Readonly<Record<string, string>> = {
  synchronized: 'synchronize',
  label_updated: 'labeled',
  label_cleared: 'unlabeled',
};
const REVIEWS: Readonly<Record<string, string>> = {
  pull_request_approved: 'approved',
  pull_request_rejected: 'changes_requested',
  pull_request_comment: 'commented',
};

/** Reads events of Gitea and Forgejo: bodies as from GitHub, with other names for a few events and actions. */
export const readGiteaEvent: ReadEvent = (header, body) => {
  const event = eventName(header('X-Forgejo-Event') ?? header('X-Gitea-Event'), 'X-Gitea-Event');
  const review = Object.hasOwn(REVIEWS, event) ? REVIEWS[event] : undefined;
  return review === undefined ? plain(event, body) : reviewed(body, review);
};

function plain(event: string, body: JsonObject): HostEvent {
  requireShape(event, body);
  const action = actionName(at(body, 'action'));
  return { event, action: action === null ? null : renamed(action), about: githubSubject(body) };
}

function renamed(action: string): string {
  return (Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined) ?? action;
}

/** Reads a review, which is one of three events at Gitea; its author is the sender. */
function reviewed(body: JsonObject, state: string): HostEvent {
  requireShape('pull_request_review', body);
  const about = githubSubject(body);
  return { event: 'pull_request_review', action: 'submitted', about: about === null ? null : withReview(about, state) };
}

function withReview(about: CodeHostTarget, state: string): CodeHostTarget {
  const { details } = about;
  const review = objectAt(details, 'review') ?? {};
  return { ...about, details: { ...details, review: { ...review, state, author: details['sender'] ?? null } } };
}
