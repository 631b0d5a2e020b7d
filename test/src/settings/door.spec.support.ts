import {
  definePlugin,
  deploymentOnly,
  keyedBy,
  reloadable,
  type Live,
  type Plugin,
  secret,
  type Secret,
} from '@countersign/core/plugin';
import { currentTime } from '@countersign/testing';
import { z } from 'zod';

const Configuration = z.object({
  Door: z.object({
    Sources: keyedBy(
      'Id',
      reloadable(
        z.array(z.object({ Id: z.string(), Secret: secret(), Names: z.array(z.string()).optional() })).default([]),
      ),
    ),
    Vault: reloadable(z.record(z.string(), secret()).default({})),
    Token: secret(),
    Size: z.int().min(1).default(1).describe('Size of the door when it is built.'),
    Even: z
      .int()
      .default(0)
      .refine((value) => value % 2 === 0, 'Expected an even number'),
    Local: deploymentOnly(z.string().default('here')),
  }),
});
export type DoorConfiguration = z.infer<typeof Configuration>['Door'];

/** A plugin with settings of every kind, and the configuration that it receives. */
export interface Door {
  readonly plugin: Plugin;
  /** Configuration at the start of the host. */
  configurationAtBuild(): DoorConfiguration;
  currentConfiguration(): DoorConfiguration;
  /** Returns the accepted values of each source's secret. */
  acceptedSecrets(now?: number): Record<string, readonly string[]>;
}

export function createDoor(id = 'door'): Door {
  let configurationAtBuild: DoorConfiguration;
  let current: Live<{ Door: DoorConfiguration }>;
  const plugin = definePlugin({
    id,
    config: Configuration,
    register({ config, live: now }) {
      if (config.Door.Size === 13) throw new Error('No door has this size.');
      configurationAtBuild = config.Door;
      current = now;
    },
  });
  return {
    plugin: plugin as unknown as Plugin,
    configurationAtBuild: () => configurationAtBuild,
    currentConfiguration: () => current.current.Door,
    acceptedSecrets: (now = currentTime()) =>
      Object.fromEntries(
        current.current.Door.Sources.map(({ Id, Secret: value }: { Id: string; Secret: Secret }) => [
          Id,
          value.acceptedValues(now),
        ]),
      ),
  };
}
