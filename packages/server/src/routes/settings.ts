import { HostSettings, type CatalogueEntry } from '@countersign/core';
import type { Handlers } from '../app/route-context.js';
import type { Services } from '../app/services.js';
import { runSettingsTest, settingsTargets } from '../settings/run-tests.js';

export const settingsHandlers: Pick<Handlers, 'getSettings' | 'updateSettings' | 'testSettings'> = {
  getSettings: async ({ services }) => ({
    body: catalogue(services, await services.host.get(HostSettings).catalogue()),
  }),

  updateSettings: async ({ services, request, caller }) => {
    const { values = {}, secrets = {} } = request.body;
    return { body: catalogue(services, await services.host.get(HostSettings).change({ values, secrets }, caller)) };
  },

  testSettings: async ({ services, request }) => ({ body: await runSettingsTest(services, request.params.target) }),
};

function catalogue(services: Services, entries: readonly CatalogueEntry[]) {
  const items = entries.map(({ origin: _, lastRotatedAt, ...entry }) => ({
    ...entry,
    lastRotatedAt: lastRotatedAt === null ? null : new Date(lastRotatedAt).toISOString(),
  }));
  return { items, targets: settingsTargets(services) };
}
