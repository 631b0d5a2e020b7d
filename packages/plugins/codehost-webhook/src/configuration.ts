import { deploymentOnly, reloadable, type Live, secret } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

/** Kinds of hosts. Forgejo counts as Gitea: it sends the same bodies, and Gitea's headers in addition to its own. */
export const HOST_KINDS = ['github', 'gitea', 'gitlab'] as const;

export type HostKind = (typeof HOST_KINDS)[number];

export const CodehostConfigurationSchema = z.object({
  Integrations: z.object({
    CodeHost: z.object({
      Enabled: reloadable(z.boolean().optional()).describe(
        'Whether POST /webhooks/codehost accepts events. If not, the path returns 404. By default, events are accepted only if a secret is set.',
      ),
      Secret: reloadable(secret()).describe(
        'Secret of the webhook on GitHub, Gitea, Forgejo or GitLab. For GitLab, a signing token (whsec_…) requires signatures; any other value is compared with the secret token. If it is empty and Enabled is true, deliveries are not verified.',
      ),
      AllowUnsigned: deploymentOnly(z.boolean().default(false)).describe(
        'With Enabled and without a secret: whether deliveries from other machines are accepted without verification. If false, only deliveries from this machine are accepted.',
      ),
      Hosts: reloadable(
        z
          .array(z.enum(HOST_KINDS))
          .min(1)
          .default([...HOST_KINDS]),
      ).describe(
        'Kinds of hosts whose deliveries are accepted: "github", "gitea" (also Forgejo), "gitlab". Deliveries of other kinds are refused, whatever their signature.',
      ),
      RejectReplayedBodies: reloadable(z.boolean().default(false)).describe(
        'Whether the same body counts as a repeat even under another delivery id. Hosts do not sign that id (except GitLab with a signing token), so a delivery that an attacker obtained can be sent again under a new id.',
      ),
    }),
  }),
});

export type CodehostConfiguration = z.infer<typeof CodehostConfigurationSchema>;

export type CodehostSettings = CodehostConfiguration['Integrations']['CodeHost'];

export type LiveCodehostConfiguration = Live<CodehostConfiguration>;

export const LiveCodehostConfiguration: ServiceIdentifier<LiveCodehostConfiguration> = Symbol.for(
  '@countersign/codehost-webhook:LiveCodehostConfiguration',
);

/** Returns whether deliveries are accepted: only after an operator has configured the webhook. */
export function isConfigured({ Enabled, Secret: secret }: CodehostSettings): boolean {
  return Enabled ?? secret.isSet;
}
