import type { JsonObject } from '@countersign/core/plugin';
import { githubDetails, githubNumber } from './github-details.js';
import { requireShape } from './github-shapes.js';
import { actionName, eventName, isRepositoryName, type ReadEvent, type CodeHostTarget } from './host-event.js';
import { at, text } from './pick.js';

export const readGithubEvent: ReadEvent = (header, body) => {
  const event = eventName(header('X-GitHub-Event'), 'X-GitHub-Event');
  requireShape(event, body);
  return { event, action: actionName(at(body, 'action')), about: githubSubject(body) };
};

/** Returns `null` if the body names no repository, as in events of an organization. */
export function githubSubject(body: JsonObject): CodeHostTarget | null {
  const repository = text(at(body, 'repository', 'full_name'));
  return isRepositoryName(repository) ? { repository, number: githubNumber(body), details: githubDetails(body) } : null;
}
