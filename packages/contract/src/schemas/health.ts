import { z } from 'zod';
import { timestampSchema } from './common.js';

export const HEALTH_STATUSES = Object.freeze(['ok', 'warn', 'fail'] as const);
const healthStatusSchema = z.enum(HEALTH_STATUSES).meta({ id: 'HealthStatus' });

export const liveSchema = z.object({ status: z.literal('ok') }).meta({ id: 'Live' });

export const runtimeSchema = z
  .object({
    mode: z.enum(['embedded', 'temporal']),
    version: z
      .string()
      .nullable()
      .meta({ description: 'Version of the server; `null` for callers without the role operator.' }),
    instanceId: z
      .string()
      .nullable()
      .meta({ description: 'Id of this process; `null` for callers without the role operator.' }),
    startedAt: timestampSchema.nullable().meta({ description: '`null` for callers without the role operator.' }),
    workers: z
      .array(z.object({ name: z.string(), active: z.int().min(0), concurrency: z.int().min(0) }))
      .meta({ description: 'Workers of this process; empty for callers without the role operator.' }),
  })
  .meta({ id: 'Runtime' });

export const readinessCheckSchema = z
  .object({ name: z.string(), status: healthStatusSchema, detail: z.string().nullable() })
  .meta({ id: 'ReadinessCheck' });

export const readySchema = z
  .object({
    status: healthStatusSchema.meta({
      description:
        'The worst status of the checks. The HTTP status of `fail` is 503, that of `warn` is 200; callers without the role operator get `ok` instead of `warn`.',
    }),
    runtime: runtimeSchema,
    checks: z.array(readinessCheckSchema).meta({ description: 'Empty for callers without the role operator.' }),
  })
  .meta({ id: 'Ready' });

export const topologySchema = z
  .object({
    clusterId: z.string(),
    clusterName: z.string(),
    serverVersion: z.string(),
    persistenceStore: z.string().nullable(),
    members: z
      .array(
        z.object({
          role: z.string().meta({ example: 'history' }),
          address: z.string().meta({ example: '127.0.0.1:7234' }),
          shards: z.array(z.int()).nullable().meta({ description: 'Shards that the member owns; `null` if unknown.' }),
        }),
      )
      .nullable()
      .meta({ description: '`null` if the admin service of the cluster does not respond.' }),
    taskQueues: z.array(
      z.object({
        name: z.string(),
        pollers: z.array(z.object({ identity: z.string(), lastAccessAt: timestampSchema })),
        backlog: z.int().min(0),
      }),
    ),
    announcements: z
      .object({ pending: z.int().min(0), oldestAgeSeconds: z.number().min(0).nullable() })
      .meta({ description: 'Committed commands that the cluster has not accepted yet.' }),
  })
  .meta({ id: 'EngineTopology' });

export const engineHealthSchema = z
  .object({
    external: z.boolean(),
    adapter: z.string().meta({ example: 'embedded' }),
    status: healthStatusSchema,
    topology: topologySchema.nullable().meta({
      description:
        '`null` for the embedded engine, until the cluster has responded, and for callers without the role operator.',
    }),
  })
  .meta({ id: 'EngineHealth' });

export type Live = z.infer<typeof liveSchema>;
export type Ready = z.infer<typeof readySchema>;
export type ReadinessCheck = z.infer<typeof readinessCheckSchema>;
export type HealthStatus = z.infer<typeof healthStatusSchema>;
export type Runtime = z.infer<typeof runtimeSchema>;
export type EngineHealth = z.infer<typeof engineHealthSchema>;
export type EngineTopology = z.infer<typeof topologySchema>;
