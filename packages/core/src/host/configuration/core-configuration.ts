import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';
import { duration, filePath } from './marks.js';

const port = z.int().min(0).max(65_535);
const bytes = (text: string) => z.int().min(1).describe(text);

/** The core's own part of the configuration. A key stands here only if something uses it. */
export const CoreConfigurationSchema = z.object({
  Server: z.object({
    Host: z.string().min(1).default('127.0.0.1').describe('Address that the server listens on.'),
    Port: port.default(8080).describe('Port that the server listens on. 0 picks a free one.'),
    BasePath: z
      .string()
      .regex(/^(\/[A-Za-z0-9._~-]+)+$/, 'Expected a path such as /countersign, without a slash at the end.')
      .optional()
      .describe('Path that everything is served under, where a proxy does not strip it.'),
    TrustProxy: z.boolean().default(false).describe('Whether the address that a proxy in front adds to X-Forwarded-For is taken for the caller’s, in limits and in the audit trail.'),
  }),
  Data: z.object({
    Directory: filePath().prefault('./data').describe('Where the server keeps its data: the embedded database, artifacts, keys.'),
  }),
  Workflows: z.object({
    Directory: z
      .union([z.array(filePath()), filePath()])
      .transform((directories) => [directories].flat())
      .prefault([])
      .describe('Directory, or list of directories, whose .dmn and then .bpmn files are deployed at start-up, each in the order of their names.'),
  }),
  Engine: z.object({
    Adapter: z.string().min(1).default('embedded').describe('What executes the runs: "embedded", or one that a plugin brings.'),
  }),
  Plugins: z.array(z.string().min(1)).default([]).describe('Plugins to load: names of installed packages, or paths.'),
  Auth: z.object({
    DevToken: z.object({
      Enabled: z.boolean().default(false).describe('Whether POST /api/auth/token hands out development tokens. Never in production.'),
    }),
    Issuer: z.url({ protocol: /^https?$/ }).optional().describe('The OpenID Connect issuer whose bearer tokens are accepted.'),
    Audience: z.string().min(1).optional().describe('What the "aud" claim of a token of the issuer must contain.'),
    RoleClaim: z.string().min(1).default('roles').describe('Claim that carries the roles; a dotted path.'),
    GroupsClaim: z.string().min(1).default('groups').describe('Claim that carries the groups; a dotted path.'),
    StartRunRole: z.enum(['viewer', 'operator', 'approver', 'admin']).default('viewer').describe('Least role that may start a run.'),
    DeployRole: z.enum(['operator', 'approver', 'admin']).default('admin').describe('Least role that may deploy a workflow.'),
    ClientId: z.string().min(1).optional().describe('OAuth client id that browser and desktop sign in with.'),
    Scopes: z.array(z.string().min(1)).default(['openid', 'profile']).describe('OAuth scopes that browser and desktop ask for.'),
  }),
  Runs: z.object({
    StuckAfter: duration().prefault('PT5M').describe('A run that is active, waits for nothing and has not moved for so long counts as stuck.'),
  }),
  Approvals: z.object({
    SeparationOfDuties: z.boolean().default(true).describe('Whether those who started a run or edited a subject are kept from deciding its approvals.'),
  }),
  Artifacts: z.object({
    Store: z.string().min(1).default('filesystem').describe('Where the bytes of artifacts lie: "filesystem", or a store that a plugin brings.'),
    MaxBytes: bytes('Largest artifact, in bytes.').default(52_428_800),
  }),
  Limits: z.object({
    BodyBytes: bytes('Largest JSON or BPMN body of a request, in bytes.').default(1_048_576),
    WebhookBytes: bytes('Largest body of a webhook, in bytes.').default(1_048_576),
    RequestsPerMinute: z.int().min(1).default(60_000).describe('Requests that one principal or address may make in a minute.'),
  }),
  Log: z.object({
    Level: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info').describe('Least level that is logged.'),
    Format: z.enum(['json', 'pretty']).optional().describe('"json" for machines, "pretty" for people. By default "pretty" on a terminal.'),
  }),
});

export type CoreConfiguration = z.infer<typeof CoreConfigurationSchema>;

export const CoreConfiguration: ServiceIdentifier<CoreConfiguration> = Symbol.for('@countersign/core:CoreConfiguration');
