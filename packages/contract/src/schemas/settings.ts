import { z } from 'zod';
import { jsonValueSchema, timestampSchema } from './common.js';

export const settingSchema = z
  .object({
    key: z.string().meta({ example: 'Runs:StuckAfter' }),
    title: z.string(),
    description: z.string().nullable(),
    type: z.enum(['string', 'boolean', 'integer', 'number', 'duration', 'list', 'object']),
    value: jsonValueSchema.meta({ description: 'Always `null` for a secret.' }),
    isSecret: z.boolean(),
    isSet: z.boolean(),
    lastRotatedAt: timestampSchema.nullable(),
    source: z.enum(['default', 'file', 'env', 'override']),
    editable: z.boolean(),
    restartRequired: z.boolean(),
  })
  .meta({ id: 'Setting' });

export const settingsSchema = z
  .object({ items: z.array(settingSchema), targets: z.array(z.string()).meta({ description: 'The available tests.' }) })
  .meta({ id: 'Settings' });

export const updateSettingsBodySchema = z
  .strictObject({
    values: z.record(z.string(), jsonValueSchema).optional().meta({ description: '`null` resets the setting.' }),
    secrets: z.record(z.string(), z.string().min(1).max(20_000)).optional(),
  })
  .meta({ id: 'UpdateSettings' });

export const settingsTestSchema = z
  .object({
    target: z.string(),
    ok: z.boolean(),
    checks: z.array(
      z.object({ name: z.string(), ok: z.boolean(), detail: z.string().nullable(), durationMs: z.number().min(0) }),
    ),
  })
  .meta({ id: 'SettingsTest' });

export type Setting = z.infer<typeof settingSchema>;
export type Settings = z.infer<typeof settingsSchema>;
export type UpdateSettingsBody = z.infer<typeof updateSettingsBodySchema>;
export type SettingsTest = z.infer<typeof settingsTestSchema>;
