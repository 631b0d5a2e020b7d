import {
  definePlugin,
  LifecycleContribution,
  ReadinessCheckContribution,
  SettingsTestContribution,
  WebhookContribution,
} from '@countersign/core/plugin';
import { EventIngressConfigurationSchema, LiveEventIngress } from './configuration.js';
import { EventIngress } from './event-ingress.js';
import { IngressCheck } from './ingress-check.js';
import { IngressLifecycle } from './ingress-lifecycle.js';
import { IngressTest } from './ingress-test.js';

/** `POST /webhooks/events`: signed events of registered systems. */
export const eventIngressPlugin = definePlugin({
  id: 'event-ingress',
  config: EventIngressConfigurationSchema,
  register({ live, provide, contribute }) {
    provide(LiveEventIngress, live);
    contribute(WebhookContribution, EventIngress);
    contribute(ReadinessCheckContribution, IngressCheck);
    contribute(LifecycleContribution, IngressLifecycle);
    contribute(SettingsTestContribution, IngressTest);
  },
});
