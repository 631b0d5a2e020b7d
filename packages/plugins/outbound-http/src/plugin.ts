import { definePlugin, OutboundHttpPort } from '@countersign/core/plugin';
import { LiveOutboundConfiguration, OutboundConfigurationSchema } from './configuration.js';
import { GuardedHttp } from './guarded-http.js';
import { systemResolver, ResolveName } from './resolve-host.js';

/** Outbound calls of connectors, and the secrets that they may use. */
export const outboundHttpPlugin = definePlugin({
  id: 'outbound-http',
  config: OutboundConfigurationSchema,
  register({ bind, live, provide }) {
    provide(LiveOutboundConfiguration, live);
    provide(ResolveName, systemResolver);
    bind(OutboundHttpPort, GuardedHttp);
  },
});
