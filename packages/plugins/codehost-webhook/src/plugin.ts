import {
  definePlugin,
  LifecycleContribution,
  ReadinessCheckContribution,
  WebhookContribution,
} from '@countersign/core/plugin';
import { CodehostCheck } from './codehost-check.js';
import { CodehostWebhook } from './codehost-webhook.js';
import { CodehostConfigurationSchema, LiveCodehostConfiguration } from './configuration.js';
import { SecretWarning } from './secret-warning.js';

/** Starts and resumes runs on events of GitHub, Gitea, Forgejo and GitLab. */
export const codehostWebhookPlugin = definePlugin({
  id: 'codehost-webhook',
  config: CodehostConfigurationSchema,
  register({ live, contribute, provide }) {
    provide(LiveCodehostConfiguration, live);
    contribute(WebhookContribution, CodehostWebhook);
    contribute(LifecycleContribution, SecretWarning);
    contribute(ReadinessCheckContribution, CodehostCheck);
  },
});

export { codehostWebhookPlugin as plugin };
