import { z } from 'zod';
import { defineRoute } from '../define-route.js';
import { settingsSchema, settingsTestSchema, updateSettingsBodySchema } from '../schemas/settings.js';
import { jsonResponse } from './json-response.js';

const testParams = z.strictObject({ target: z.string().regex(/^[a-z][a-z0-9-]{0,62}$/) });

export const settingsRoutes = {
  getSettings: defineRoute({
    operationId: 'getSettings',
    method: 'get',
    path: '/api/settings',
    tag: 'settings',
    summary: 'List all settings',
    description:
      'The whole configuration, including that of plugins, without secrets. The key of a list item contains its name, not its index: `Integrations:EventIngress:Sources:ci:Secret` ' +
      '(`%3A` is a colon in a name, `%25` a percent sign). A value from the environment or the command line has the source `env`.',
    role: 'admin',
    responses: { 200: jsonResponse(settingsSchema, 'The catalogue.') },
    errors: [],
  }),
  updateSettings: defineRoute({
    operationId: 'updateSettings',
    method: 'patch',
    path: '/api/settings',
    tag: 'settings',
    summary: 'Save settings and rotate secrets',
    description:
      'Saves all changes or none. Saved values override the file, the environment and the command line; `null` resets a value. Secrets are only accepted in `secrets`. ' +
      'After a rotation, signatures with the previous secret are accepted for `Settings:RotationGrace`. ' +
      'A setting without `restartRequired` takes effect immediately on this server, and within seconds on the others. ' +
      'Concurrent changes of different settings are all saved; of concurrent changes of the same setting, one is refused as `conflict`.',
    role: 'admin',
    body: updateSettingsBodySchema,
    requestExamples: {
      save: {
        summary: 'Save a value and reset another one',
        value: { values: { 'Runs:StuckAfter': 'PT10M', 'Log:Level': null } },
      },
      rotate: {
        summary: 'Rotate the secret of an event source',
        value: { secrets: { 'Integrations:EventIngress:Sources:ci:Secret': 'mK3yd0…' } },
      },
    },
    responses: { 200: jsonResponse(settingsSchema, 'The current catalogue.') },
    errors: ['unknown_setting', 'validation_failed', 'conflict'],
  }),
  testSettings: defineRoute({
    operationId: 'testSettings',
    method: 'post',
    path: '/api/settings/tests/{target}',
    tag: 'settings',
    summary: 'Test a part of the configuration',
    description:
      'Runs a real test with the current settings, and changes nothing. `targets` of the catalogue lists the available tests.',
    role: 'admin',
    params: testParams,
    notFound: 'settings_target_not_found',
    responses: { 200: jsonResponse(settingsTestSchema, 'The test and its result.') },
    errors: ['settings_target_not_found'],
  }),
};
