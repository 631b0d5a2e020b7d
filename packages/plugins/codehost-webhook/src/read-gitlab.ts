import { invalidEvent, isRepositoryName, type ReadEvent } from './host-event.js';
import { toGitlabDetails, findGitlabNumber } from './gitlab-details.js';
import { toGithubEventName } from './gitlab-events.js';
import { valueAt, readText } from './read-value.js';

/**
 * Reads events of GitLab. The event is in the signed body (`object_kind`); `X-Gitlab-Event` repeats it unsigned. Events
 * without a counterpart on GitHub keep GitLab's name and concern no run.
 */
export const readGitlabEvent: ReadEvent = (_header, body) => {
  const kind = valueAt(body, 'object_kind') ?? valueAt(body, 'event_name');
  if (typeof kind !== 'string' || kind === '') throw invalidEvent('The body has no "object_kind".');
  const name = toGithubEventName(body);
  if (name === null) return { event: readText(kind, 64) ?? '', action: null, about: null };
  const repository = readText(valueAt(body, 'project', 'path_with_namespace'));
  const about = isRepositoryName(repository)
    ? { repository, number: findGitlabNumber(body), details: toGitlabDetails(body, name) }
    : null;
  return { ...name, about };
};
