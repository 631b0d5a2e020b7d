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
      'Returns all settings, including those of plugins, without the values of secrets. The key of a list item contains its name, not its index: `Integrations:EventIngress:Sources:ci:Secret` ' +
      '(`%3A` is a colon in a name, `%25` a percent sign). A value from the environment or the command line has the source `env`.',
    role: 'admin',
    responses: { 200: jsonResponse(settingsSchema, 'The settings.') },
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
      'Concurrent changes to different settings are all saved. If the same setting is changed concurrently, one change is saved and the others are refused with `conflict`.',
    role: 'admin',
    body: updateSettingsBodySchema,
    requestExamples: {
      save: {
        summary: 'Save one value and reset another',
        value: { values: { 'Runs:StuckAfter': 'PT10M', 'Log:Level': null } },
      },
      rotate: {
        summary: 'Rotate the secret of an event source',
        value: { secrets: { 'Integrations:EventIngress:Sources:ci:Secret': 'mK3yd0…' } },
      },
    },
    responses: { 200: jsonResponse(settingsSchema, 'The settings after the change.') },
    errors: ['unknown_setting', 'validation_failed', 'conflict'],
  }),
  testSettings: defineRoute({
    operationId: 'testSettings',
    method: 'post',
    path: '/api/settings/tests/{target}',
    tag: 'settings',
    summary: 'Test part of the configuration',
    description:
      'Tests the target with its current settings, without changing anything. `targets` in the response of `GET /api/settings` lists the available tests.',
    role: 'admin',
    params: testParams,
    notFound: 'settings_target_not_found',
    responses: { 200: jsonResponse(settingsTestSchema, 'The test and its result.') },
    errors: ['settings_target_not_found'],
  }),
};
