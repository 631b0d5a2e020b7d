import { z } from 'zod';
import { secret } from '../secret.js';
import { CoreConfigurationSchema, type CoreConfiguration } from './core-configuration.js';
import type { ConfigurationFile, ConfigurationLayers } from './configuration-layers.js';
import { resolveConfiguration } from './resolve-configuration.js';

const IngressSchema = z.object({
  Integrations: z.object({
    EventIngress: z.object({
      Enabled: z.boolean().default(false).describe('Whether events are accepted.'),
      Sources: z
        .array(z.object({ Id: z.string(), Secret: secret(), AllowedMessageNames: z.array(z.string()).optional() }))
        .default([]),
      Token: secret().describe('A secret.'),
      Labels: z.record(z.string(), z.string()).default({}),
    }),
  }),
});
type Ingress = z.infer<typeof IngressSchema>;

/** Resolves the configuration of the core and of a plugin from layers. */
export const resolveWithIngress = (layers: ConfigurationLayers) => {
  const result = resolveConfiguration(
    [
      { owner: 'core', schema: CoreConfigurationSchema },
      { owner: 'event-ingress', schema: IngressSchema },
    ],
    layers,
  );
  return {
    ...result,
    core: result.parsed.get('core') as CoreConfiguration,
    ingress: (result.parsed.get('event-ingress') as Ingress | undefined)?.Integrations.EventIngress,
    messages: result.problems.map(({ message }) => message),
  };
};
/** Returns the layer of a configuration file. */
export const createConfigurationFile = (content: object): ConfigurationFile => ({
  path: '/etc/countersign/config.yaml',
  content: content as never,
});
