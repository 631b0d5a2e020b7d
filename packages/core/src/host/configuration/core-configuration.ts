import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';
import type { Live } from '../live.js';
import { encryptionKey } from '../settings/encryption-key.js';
import { DEFAULT_DEVELOPMENT_USERS, DevelopmentUserSchema } from './development-users.js';
import { duration, filePath, deploymentOnly, keyedBy, reloadable } from './schema-metadata.js';

const port = z.int().min(0).max(65_535);
const byteLimit = (description: string) => z.int().min(1).describe(description);

/**
 * Maximum of `Server:DrainDelay`. Process supervisors rarely wait longer for a process to stop, so a longer delay is
 * probably a mistake in the unit.
 */
const MAX_DRAIN_DELAY_MS = 10 * 60_000;

/** Schema of the core's part of the configuration. */
export const CoreConfigurationSchema = z.object({
  Server: deploymentOnly(
    z.object({
      Host: z.string().min(1).default('127.0.0.1').describe('Address that the server listens on.'),
      Port: port.default(8080).describe('Port that the server listens on. 0 picks a free one.'),
      BasePath: z
        .string()
        .regex(/^(\/[A-Za-z0-9._~-]+)+$/, 'Expected a path such as /countersign, without a slash at the end.')
        .optional()
        .describe('Path under which the server serves everything, if a proxy does not strip it.'),
      AllowedHosts: z
        .array(
          z
            .string()
            .regex(
              /^(\*|\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*)$/i,
              'Expected a host name such as countersign.example.com, .example.com for a domain and all names below it, or *; without scheme and port.',
            ),
        )
        .default([])
        .describe(
          'Host names accepted in the Host header of requests, in addition to loopback names, IP addresses and Server:Host. ".example.com" means the domain and all names below it, "*" any name. Use "*" only if a reverse proxy checks the names.',
        ),
      StopTimeout: duration()
        .refine((ms) => ms >= 1_000 && ms <= 3_600_000, 'Expected a duration from PT1S to PT1H.')
        .prefault('PT45S')
        .describe(
          'How long the server may take to stop after Server:DrainDelay, from PT1S to PT1H. After that the process exits even if something hangs; the next start recovers work that was in progress.',
        ),
      TrustProxy: z
        .boolean()
        .default(false)
        .describe(
          'Whether to use the address that a reverse proxy adds to X-Forwarded-For as the client address, in limits and in the audit trail.',
        ),
      DrainDelay: duration()
        .refine((ms) => ms <= MAX_DRAIN_DELAY_MS, 'Expected at most PT10M.')
        .prefault('PT5S')
        .describe(
          'How long a stopping server reports not ready but still serves requests, so that a load balancer stops sending new requests before the port closes; at most PT10M. Set it longer than the load balancer needs to notice. PT0S closes the port immediately, which is the default with --development.',
        ),
    }),
  ),
  Data: deploymentOnly(
    z.object({
      Directory: filePath()
        .prefault('./data')
        .describe('Directory in which the server stores its data: the embedded database, artifacts and keys.'),
    }),
  ),
  Workflows: deploymentOnly(
    z.object({
      Directory: z
        .union([z.array(filePath()), filePath()])
        .transform((directories) => [directories].flat())
        .prefault([])
        .describe(
          'Directory, or list of directories, whose .dmn and then .bpmn files are deployed at start-up, each in the order of their names.',
        ),
    }),
  ),
  Agents: z.object({
    Directory: deploymentOnly(
      z
        .union([z.array(filePath()), filePath()])
        .transform((directories) => [directories].flat())
        .prefault([]),
    ).describe('Directory, or list of directories, whose .yaml and .yml files define agents.'),
    DefaultModel: deploymentOnly(
      z
        .object({
          Provider: z
            .string()
            .min(1)
            .optional()
            .describe('Id of the default model provider, for agents that name no language model.'),
          Name: z.string().min(1).max(200).optional().describe('The default language model, as its provider names it.'),
        })
        .refine(
          ({ Provider, Name }) => (Provider === undefined) === (Name === undefined),
          'Give both Provider and Name, or neither.',
        ),
    ),
    ToolTimeout: reloadable(
      duration()
        .refine((ms) => ms >= 1_000 && ms <= 3_600_000, 'Expected a duration from PT1S to PT1H.')
        .prefault('PT1M'),
    ).describe('Maximum duration of one tool call of an agent, from PT1S to PT1H.'),
  }),
  Engine: z.object({
    Adapter: deploymentOnly(z.string().min(1).default('embedded')).describe(
      'Engine that executes the runs: "embedded", "temporal", which is a package of its own, or an engine that a plugin provides.',
    ),
  }),
  Plugins: deploymentOnly(z.array(z.string().min(1)).default([])).describe(
    'Plugins to load: names of installed packages, or paths.',
  ),
  Auth: z.object({
    DevToken: deploymentOnly(
      z.object({
        Enabled: z
          .boolean()
          .default(false)
          .describe('Whether POST /api/auth/token issues development tokens. Never enable it in production.'),
        Users: keyedBy('Subject', z.array(DevelopmentUserSchema).default(DEFAULT_DEVELOPMENT_USERS)).describe(
          'Users that the web UI offers for signing in while development tokens are enabled. Without this setting: Ann (operator), Bob and Carol (approvers), Vera (viewer) and Alice (admin).',
        ),
      }),
    ),
    Issuer: deploymentOnly(z.url({ protocol: /^https?$/ }).optional()).describe(
      'The OpenID Connect issuer whose bearer tokens are accepted.',
    ),
    Audience: deploymentOnly(z.string().min(1).optional()).describe(
      'Value that the "aud" claim of a token of the issuer must contain.',
    ),
    RoleClaim: deploymentOnly(z.string().min(1).default('roles')).describe(
      'Claim that carries the roles; a dotted path.',
    ),
    GroupsClaim: deploymentOnly(z.string().min(1).default('groups')).describe(
      'Claim that carries the groups; a dotted path.',
    ),
    UserNameClaim: deploymentOnly(
      z.union([z.string().min(1), z.array(z.string().min(1)).max(10)]).default([]),
    ).describe(
      'Claims with names of the person in addition to the subject, such as `preferred_username` or `email` (used only if it is verified); dotted paths. BPMN models, policies, delegations and absences may use any of these names; the first is recorded. Use only claims that people cannot set themselves.',
    ),
    ClaimSeparator: deploymentOnly(z.string().min(1).max(10).optional()).describe(
      'Separator between roles or groups in a claim that is a single string, for example a space. If not set, the string is one value.',
    ),
    MaxTokenAge: deploymentOnly(
      duration()
        .refine((ms) => ms >= 1_000, 'Expected at least PT1S.')
        .prefault('P1D'),
    ).describe('Maximum age of a token, by its iat, even if it expires later.'),
    SigningKeys: deploymentOnly(
      z.object({
        MaxSignInAge: duration()
          .prefault('PT10M')
          .describe(
            'Maximum time since the sign-in of a person (`auth_time` of the token) for the sign-in to enrol a signing key. `PT0S`: a sign-in never enrols a key; another key of the person or an admin must do so.',
          ),
        AcrValues: z
          .array(z.string().min(1))
          .default([])
          .describe(
            'Values of the token claim `acr` that allow a sign-in to enrol a signing key; if empty, any value does.',
          ),
      }),
    ),
    StartRunRole: reloadable(z.enum(['viewer', 'operator', 'approver', 'admin']).default('viewer')).describe(
      'Minimum role required to start a run.',
    ),
    DeployRole: reloadable(z.enum(['operator', 'approver', 'admin']).default('admin')).describe(
      'Minimum role required to deploy a workflow.',
    ),
    ClientId: deploymentOnly(z.string().min(1).optional()).describe(
      'OAuth client id that the browser and the desktop application use to sign in.',
    ),
    Scopes: deploymentOnly(z.array(z.string().min(1)).default(['openid', 'profile'])).describe(
      'OAuth scopes that the browser and the desktop application request.',
    ),
  }),
  Runs: reloadable(
    z.object({
      StuckAfter: duration()
        .prefault('PT5M')
        .describe('Time without progress after which a run that is active and waits for nothing counts as stuck.'),
    }),
  ),
  Approvals: deploymentOnly(
    z.object({
      SeparationOfDuties: z
        .boolean()
        .default(true)
        .describe(
          'Whether people who started a run or contributed to its data may not decide its approvals. Set by the deployment: it cannot be changed through the API.',
        ),
      RequireDigest: z
        .boolean()
        .default(false)
        .describe(
          'Whether a vote must include the digest of its subject, as expectedDigest. A single workflow can require it with approval.requireDigest.',
        ),
      ExcludeDeployers: z
        .boolean()
        .default(false)
        .describe(
          'Whether people who deployed a workflow version or a DMN decision that a run uses or has used are also excluded from its approvals.',
        ),
    }),
  ),
  Artifacts: z.object({
    Store: deploymentOnly(z.string().min(1).default('filesystem')).describe(
      'Where the content of artifacts is stored: "filesystem", or a store that a plugin provides.',
    ),
    MaxBytes: reloadable(byteLimit('Maximum size of an artifact, in bytes.').default(52_428_800)),
  }),
  Limits: reloadable(
    z.object({
      // A lower limit would prevent changing the settings again.
      BodyBytes: z
        .int()
        .min(1_024)
        .meta({
          title: 'Maximum request body size',
          description: 'Maximum size of a JSON or BPMN request body, in bytes; at least 1024.',
        })
        .default(1_048_576),
      WebhookBytes: byteLimit('Maximum size of a webhook body, in bytes.')
        .meta({ title: 'Maximum webhook body size' })
        .default(1_048_576),
      CalledRuns: z.int().min(1).default(10_000).meta({
        title: 'Maximum number of child runs',
        description:
          'Maximum number of active child runs per run, counted across all levels of call activities. If it is exceeded, an incident is raised on the call activity.',
      }),
      RequestTimeout: duration()
        .refine((ms) => ms >= 1_000 && ms <= 600_000, 'Expected a duration from PT1S to PT10M.')
        .prefault('PT15S')
        .describe(
          'How long a request may wait for its response, from PT1S to PT10M, excluding the time to receive the request body. After that, the server responds with 503.',
        ),
      // A lower limit would prevent users from working and from changing it back.
      RequestsPerMinute: z
        .int()
        .min(60)
        .default(60_000)
        .describe(
          'Maximum number of requests of one principal per minute, on all servers of the database together; at least 60.',
        ),
    }),
  ),
  Log: z.object({
    Level: reloadable(z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info')).describe(
      'Minimum level that is logged.',
    ),
    Format: z
      .enum(['json', 'pretty'])
      .optional()
      .describe('"json" for machines, "pretty" for people. By default "pretty" on a terminal.'),
  }),
  Settings: z.object({
    EncryptionKey: deploymentOnly(encryptionKey()).describe(
      'Key that encrypts saved secrets: 32 bytes in Base64 (openssl rand -base64 32), the same for all servers of one database. If empty, the key is in the file settings.key in Data:Directory, created when the first secret is saved.',
    ),
    PreviousEncryptionKeys: deploymentOnly(z.array(encryptionKey()).default([])).describe(
      'Previous keys. At startup, saved secrets that they encrypted are re-encrypted with the current key; then the previous keys can be removed.',
    ),
    RotationGrace: reloadable(duration().prefault('P1D')).describe(
      'How long signatures made with the previous secret are still accepted after a rotation. PT0S refuses them immediately.',
    ),
    Ignore: deploymentOnly(
      z
        .union([z.array(z.string()), z.string()])
        .transform((keys) => [keys].flat())
        .prefault([]),
    ).describe(
      'Saved settings to ignore, by key, or * for all. Use it if a saved setting prevents the server from starting.',
    ),
  }),
});

export type CoreConfiguration = z.infer<typeof CoreConfigurationSchema>;

export const CoreConfiguration: ServiceIdentifier<CoreConfiguration> = Symbol.for(
  '@countersign/core:CoreConfiguration',
);

/** The current configuration of the core, including settings that an admin saves while the server runs. */
export const LiveCoreConfiguration: ServiceIdentifier<Live<CoreConfiguration>> = Symbol.for(
  '@countersign/core:LiveCoreConfiguration',
);
