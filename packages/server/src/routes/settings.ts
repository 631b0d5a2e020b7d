import { HostSettings, type CatalogueEntry } from '@countersign/core';
import type { Handlers } from '../app/route-context.js';
import type { Services } from '../app/services.js';
import { runSettingsTest, getSettingsTargets } from '../settings/run-settings-test.js';

export const settingsHandlers: Pick<Handlers, 'getSettings' | 'updateSettings' | 'testSettings'> = {
  getSettings: async ({ services }) => ({
    body: toCatalogueBody(services, await services.host.get(HostSettings).getCatalogue()),
  }),

  updateSettings: async ({ services, request, caller }) => {
    const { values = {}, secrets = {} } = request.body;
    return {
      body: toCatalogueBody(services, await services.host.get(HostSettings).change({ values, secrets }, caller)),
    };
  },

  testSettings: async ({ services, request }) => ({ body: await runSettingsTest(services, request.params.target) }),
};

function toCatalogueBody(services: Services, entries: readonly CatalogueEntry[]) {
  const items = entries.map(({ origin: _, lastRotatedAt, ...entry }) => ({
    ...entry,
    lastRotatedAt: lastRotatedAt === null ? null : new Date(lastRotatedAt).toISOString(),
  }));
  return { items, targets: getSettingsTargets(services) };
}
