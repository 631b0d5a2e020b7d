import type { WebhookDelivery } from '@countersign/core/plugin';
import { HOST_KINDS, type HostKind } from './configuration.js';
import { readGiteaEvent } from './read-gitea.js';
import { readGithubEvent } from './read-github.js';
import { readGitlabEvent } from './read-gitlab.js';
import type { ReadEvent } from './host-event.js';
import { gitlabVerifier } from './gitlab-verifier.js';
import { giteaVerifier, githubVerifier } from './hmac-verifier.js';
import type { Verifier } from './verifier.js';

/** Behaviour that is specific to one kind of code host. */
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

const IDENTIFYING_HEADERS: Readonly<Record<HostKind, readonly string[]>> = {
  github: ['X-GitHub-Event', 'X-Hub-Signature-256'],
  gitea: ['X-Gitea-Event', 'X-Gitea-Signature', 'X-Forgejo-Event', 'X-Forgejo-Signature'],
  gitlab: ['X-Gitlab-Event', 'X-Gitlab-Token'],
};

/**
 * Returns the host that a delivery claims to be from. Gitea and Forgejo also send GitHub's headers; their own headers
 * take precedence. Returns `undefined` if the headers identify no host, or both GitLab and another host.
 */
export function findClaimedHost(header: WebhookDelivery['header']): CodeHostAdapter | undefined {
  const claimedKinds = new Set(
    HOST_KINDS.filter((kind) => IDENTIFYING_HEADERS[kind].some((name) => header(name) !== undefined)),
  );
  if (claimedKinds.has('gitea')) claimedKinds.delete('github');
  const [kind] = claimedKinds;
  return kind === undefined || claimedKinds.size > 1 ? undefined : CODE_HOST_ADAPTERS[kind];
}
