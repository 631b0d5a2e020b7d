import { ArtifactStorePort, type SettingsTestContribution } from '@countersign/core';
import type { Services } from '../app/services.js';

/** Creates the settings test of the artifact store. */
export function createArtifactsTest({ host }: Pick<Services, 'host'>): SettingsTestContribution {
  return {
    target: 'artifacts',
    checks: () => [
      {
        name: 'the store writes, reads and deletes',
        run: async () => {
          await host.get(ArtifactStorePort).check();
          return 'A test artifact was written, read and deleted.';
        },
      },
    ],
  };
}
