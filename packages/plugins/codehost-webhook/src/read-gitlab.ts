import { invalidEvent, isRepositoryName, type ReadEvent } from './host-event.js';
import { gitlabDetails, gitlabNumber } from './gitlab-details.js';
import { githubName } from './gitlab-events.js';
import { at, text } from './pick.js';

/**
 * Reads events of GitLab. The event is in the signed body (`object_kind`); `X-Gitlab-Event` repeats it unsigned. Events
 * without a counterpart at GitHub keep GitLab's name and concern no run.
 */
export const readGitlabEvent: ReadEvent = (_header, body) => {
  const kind = at(body, 'object_kind') ?? at(body, 'event_name');
  if (typeof kind !== 'string' || kind === '') throw invalidEvent('The body has no "object_kind".');
  const name = githubName(body);
  if (name === null) return { event: text(kind, 64) ?? '', action: null, about: null };
  const repository = text(at(body, 'project', 'path_with_namespace'));
  const about = isRepositoryName(repository)
    ? { repository, number: gitlabNumber(body), details: gitlabDetails(body, name) }
    : null;
  return { ...name, about };
};
