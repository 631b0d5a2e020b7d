import { z } from 'zod';
import { defineRoute } from '../define-route.js';
import { settingsSchema, settingsTestSchema, updateSettingsBodySchema } from '../schemas/settings.js';
import { json } from './respond.js';

const testParams = z.strictObject({ target: z.string().regex(/^[a-z][a-z0-9-]{0,62}$/) });

export const settingsRoutes = {
  getSettings: defineRoute({
    operationId: 'getSettings',
    method: 'get',
    path: '/api/settings',
    tag: 'settings',
    summary: 'List all settings',
    description:
      'The whole configuration, that of plugins too, without its secrets. An item of a list has its name in the key, and not its place: `Integrations:EventIngress:Sources:ci:Secret` ' +
      '(`%3A` stands for a colon in a name, `%25` for a percent sign). A value that was given in the environment or on the command line has the source `env`.',
    role: 'admin',
    responses: { 200: json(settingsSchema, 'The catalogue.') },
    errors: [],
  }),
  updateSettings: defineRoute({
    operationId: 'updateSettings',
    method: 'patch',
    path: '/api/settings',
    tag: 'settings',
    summary: 'Save settings and rotate secrets',
    description:
      'All or nothing. What is saved covers the file, the environment and the command line; `null` takes it back. Secrets are given under `secrets` only. ' +
      'After a rotation, what was signed with the secret before is accepted for `Settings:RotationGrace`. ' +
      'A setting without `restartRequired` takes effect at once here, and within seconds in the other server processes. ' +
      'Where two admins change different settings at the same time, both changes are made; of the same setting, one is a `conflict`.',
    role: 'admin',
    body: updateSettingsBodySchema,
    requestExamples: {
      save: {
        summary: 'Save a value and take another one back',
        value: { values: { 'Runs:StuckAfter': 'PT10M', 'Log:Level': null } },
      },
      rotate: {
        summary: 'Rotate the secret of an event source',
        value: { secrets: { 'Integrations:EventIngress:Sources:ci:Secret': 'mK3yd0…' } },
      },
    },
    responses: { 200: json(settingsSchema, 'The catalogue, as it is now.') },
    errors: ['unknown_setting', 'validation_failed', 'conflict'],
  }),
  testSettings: defineRoute({
    operationId: 'testSettings',
    method: 'post',
    path: '/api/settings/tests/{target}',
    tag: 'settings',
    summary: 'Try whether something works',
    description:
      'Really tries it with the settings in effect, and changes nothing. `targets` of the catalogue says what can be tried.',
    role: 'admin',
    params: testParams,
    notFound: 'settings_target_not_found',
    responses: { 200: json(settingsTestSchema, 'What was tried, and whether it worked.') },
    errors: ['settings_target_not_found'],
  }),
};
