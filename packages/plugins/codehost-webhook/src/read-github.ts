import type { JsonObject } from '@countersign/core/plugin';
import { toGithubDetails, findGithubNumber } from './github-details.js';
import { requireShape } from './github-shapes.js';
import {
  readActionName,
  requireEventName,
  isRepositoryName,
  type ReadEvent,
  type CodeHostTarget,
} from './host-event.js';
import { valueAt, readText } from './read-value.js';

export const readGithubEvent: ReadEvent = (header, body) => {
  const event = requireEventName(header('X-GitHub-Event'), 'X-GitHub-Event');
  requireShape(event, body);
  return { event, action: readActionName(valueAt(body, 'action')), about: readGithubTarget(body) };
};

/**
 * Returns the repository that an event concerns, with its details; `null` if the body names no repository, as in events
 * of an organization.
 */
export function readGithubTarget(body: JsonObject): CodeHostTarget | null {
  const repository = readText(valueAt(body, 'repository', 'full_name'));
  return isRepositoryName(repository)
    ? { repository, number: findGithubNumber(body), details: toGithubDetails(body) }
    : null;
}
