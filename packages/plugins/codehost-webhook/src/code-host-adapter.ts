import type { WebhookDelivery } from '@countersign/core/plugin';
import { HOST_KINDS, type HostKind } from './configuration.js';
import { readGiteaEvent } from './read-gitea.js';
import { readGithubEvent } from './read-github.js';
import { readGitlabEvent } from './read-gitlab.js';
import type { ReadEvent } from './host-event.js';
import { gitlabVerifier } from './verify-gitlab.js';
import { giteaVerifier, githubVerifier } from './verify-hmac.js';
import type { Verifier } from './verifier.js';

/** What one kind of host does in its own way. */
export interface CodeHostAdapter {
  readonly kind: HostKind;
  readonly verifier: Verifier;
  readonly read: ReadEvent;
}

export const CODE_HOST_ADAPTERS: Readonly<Record<HostKind, CodeHostAdapter>> = {
  github: { kind: 'github', verifier: githubVerifier, read: readGithubEvent },
  gitea: { kind: 'gitea', verifier: giteaVerifier, read: readGiteaEvent },
  gitlab: { kind: 'gitlab', verifier: gitlabVerifier, read: readGitlabEvent },
};

const MARKS: Readonly<Record<HostKind, readonly string[]>> = {
  github: ['X-GitHub-Event', 'X-Hub-Signature-256'],
  gitea: ['X-Gitea-Event', 'X-Gitea-Signature', 'X-Forgejo-Event', 'X-Forgejo-Signature'],
  gitlab: ['X-Gitlab-Event', 'X-Gitlab-Token'],
};

/**
 * The host that a delivery claims to be from. Gitea and Forgejo send GitHub's headers, too, and count as what they are.
 * `undefined` where no host would send such headers: none at all, or those of GitLab beside those of another.
 */
export function claimedHost(header: WebhookDelivery['header']): CodeHostAdapter | undefined {
  const claimed = new Set(HOST_KINDS.filter((kind) => MARKS[kind].some((name) => header(name) !== undefined)));
  if (claimed.has('gitea')) claimed.delete('github');
  const [kind] = claimed;
  return kind === undefined || claimed.size > 1 ? undefined : CODE_HOST_ADAPTERS[kind];
}
