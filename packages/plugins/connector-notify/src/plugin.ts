import {
  ConnectorContribution,
  definePlugin,
  LifecycleContribution,
  ReadinessCheckContribution,
  SettingsTestContribution,
} from '@countersign/core/plugin';
import { LiveNotifyConfiguration, NotifyConfigurationSchema } from './configuration.js';
import { DeliveryRetention } from './delivery-retention.js';
import { DeliveryWorker } from './delivery-worker.js';
import { KeyNoticeSender } from './key-notice-sender.js';
import { NotifyCheck } from './notify-check.js';
import { NotifySettingsTest } from './notify-settings-test.js';
import { SlackConnector } from './slack-connector.js';
import { WebhookConnector } from './webhook-connector.js';

/** Notifications to other systems: the job types `notify-slack` and `notify-webhook`. */
export const connectorNotifyPlugin = definePlugin({
  id: 'connector-notify',
  config: NotifyConfigurationSchema,
  register({ contribute, live, provide }) {
    provide(LiveNotifyConfiguration, live);
    contribute(ConnectorContribution, SlackConnector);
    contribute(ConnectorContribution, WebhookConnector);
    contribute(LifecycleContribution, DeliveryWorker);
    contribute(LifecycleContribution, DeliveryRetention);
    contribute(LifecycleContribution, KeyNoticeSender);
    contribute(ReadinessCheckContribution, NotifyCheck);
    contribute(SettingsTestContribution, NotifySettingsTest);
  },
});
