import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';
import type { Live } from '../live.js';
import { encryptionKey } from '../settings/encryption-key.js';
import { duration, filePath, fixed, live } from './schema-metadata.js';

const port = z.int().min(0).max(65_535);
const bytes = (text: string) => z.int().min(1).describe(text);

/** Supervisors rarely wait longer for a process to stop. A longer delay is more likely a mistaken unit. */
const MAX_DRAIN_DELAY_MS = 10 * 60_000;

/** The core's part of the configuration. It contains only keys that are in use. */
export const CoreConfigurationSchema = z.object({
  Server: fixed(
    z.object({
      Host: z.string().min(1).default('127.0.0.1').describe('Address that the server listens on.'),
      Port: port.default(8080).describe('Port that the server listens on. 0 picks a free one.'),
      BasePath: z
        .string()
        .regex(/^(\/[A-Za-z0-9._~-]+)+$/, 'Expected a path such as /countersign, without a slash at the end.')
        .optional()
        .describe('Path that everything is served under, where a proxy does not strip it.'),
      AllowedHosts: z
        .array(
          z
            .string()
            .regex(
              /^(\*|\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*)$/i,
              'Expected a host name such as countersign.example.com, .example.com for a domain and all below it, or *; without scheme and port.',
            ),
        )
        .default([])
        .describe(
          'Names that the server may be addressed by, as the Host header of a request says them, besides loopback names, IP addresses and Server:Host. ".example.com" means the domain and all names below it, "*" any name: only where a proxy in front checks them.',
        ),
      StopTimeout: duration()
        .refine((ms) => ms >= 1_000 && ms <= 3_600_000, 'Expected a duration from PT1S to PT1H.')
        .prefault('PT45S')
        .describe(
          'How long the server may take to stop after Server:DrainDelay, from PT1S to PT1H. After that the process ends whatever hangs; the next start recovers what was under way.',
        ),
      TrustProxy: z
        .boolean()
        .default(false)
        .describe(
          'Whether the address that a proxy in front adds to X-Forwarded-For is taken for the caller’s, in limits and in the audit trail.',
        ),
      DrainDelay: duration()
        .refine((ms) => ms <= MAX_DRAIN_DELAY_MS, 'Expected at most PT10M.')
        .prefault('PT5S')
        .describe(
          'How long a server that was told to stop reports not ready while it still serves requests, so that a load balancer stops sending new ones before the port closes; at most PT10M. Set it longer than the balancer needs to notice. PT0S closes the port at once, which is the default with --development.',
        ),
    }),
  ),
  Data: fixed(
    z.object({
      Directory: filePath()
        .prefault('./data')
        .describe('Where the server keeps its data: the embedded database, artifacts, keys.'),
    }),
  ),
  Workflows: fixed(
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
    Directory: fixed(
      z
        .union([z.array(filePath()), filePath()])
        .transform((directories) => [directories].flat())
        .prefault([]),
    ).describe('Directory, or list of directories, whose .yaml and .yml files define agents.'),
    DefaultModel: fixed(
      z
        .object({
          Provider: z.string().min(1).optional().describe('Id of the provider of the model of agents that name none.'),
          Name: z.string().min(1).max(200).optional().describe('That model, as its provider names it.'),
        })
        .refine(
          ({ Provider, Name }) => (Provider === undefined) === (Name === undefined),
          'Give both Provider and Name, or neither.',
        ),
    ),
    ToolTimeout: live(
      duration()
        .refine((ms) => ms >= 1_000 && ms <= 3_600_000, 'Expected a duration from PT1S to PT1H.')
        .prefault('PT1M'),
    ).describe('How long one call of a tool by an agent may take, from PT1S to PT1H.'),
  }),
  Engine: z.object({
    Adapter: fixed(z.string().min(1).default('embedded')).describe(
      'What executes the runs: "embedded", or one that a plugin brings.',
    ),
  }),
  Plugins: fixed(z.array(z.string().min(1)).default([])).describe(
    'Plugins to load: names of installed packages, or paths.',
  ),
  Auth: z.object({
    DevToken: fixed(
      z.object({
        Enabled: z
          .boolean()
          .default(false)
          .describe('Whether POST /api/auth/token hands out development tokens. Never in production.'),
      }),
    ),
    Issuer: fixed(z.url({ protocol: /^https?$/ }).optional()).describe(
      'The OpenID Connect issuer whose bearer tokens are accepted.',
    ),
    Audience: fixed(z.string().min(1).optional()).describe(
      'What the "aud" claim of a token of the issuer must contain.',
    ),
    RoleClaim: fixed(z.string().min(1).default('roles')).describe('Claim that carries the roles; a dotted path.'),
    GroupsClaim: fixed(z.string().min(1).default('groups')).describe('Claim that carries the groups; a dotted path.'),
    UserNameClaim: fixed(z.union([z.string().min(1), z.array(z.string().min(1)).max(10)]).default([])).describe(
      'Claims with names of the person beside the subject, as `preferred_username` or `email` (which counts only if it is verified); dotted paths. Models, policies, delegations and absences may use any of them; the first is recorded. Use only claims that people cannot set themselves.',
    ),
    ClaimSeparator: fixed(z.string().min(1).max(10).optional()).describe(
      'What separates several roles or groups in a claim that is one text, for example a space. Not set: such a claim is one value.',
    ),
    MaxTokenAge: fixed(
      duration()
        .refine((ms) => ms >= 1_000, 'Expected at least PT1S.')
        .prefault('P1D'),
    ).describe('How old a token may be, by its iat, whatever it says of its end.'),
    SigningKeys: fixed(
      z.object({
        MaxSignInAge: duration()
          .prefault('PT10M')
          .describe(
            'How long ago a person may have signed in (`auth_time` of the token) for a signing key to be enrolled by it. `PT0S`: no sign-in enrols a key; another key of the person or an admin does.',
          ),
        AcrValues: z
          .array(z.string().min(1))
          .default([])
          .describe('What `acr` of that token may be; empty: it does not matter.'),
      }),
    ),
    StartRunRole: live(z.enum(['viewer', 'operator', 'approver', 'admin']).default('viewer')).describe(
      'Least role that may start a run.',
    ),
    DeployRole: live(z.enum(['operator', 'approver', 'admin']).default('admin')).describe(
      'Least role that may deploy a workflow.',
    ),
    ClientId: fixed(z.string().min(1).optional()).describe('OAuth client id that browser and desktop sign in with.'),
    Scopes: fixed(z.array(z.string().min(1)).default(['openid', 'profile'])).describe(
      'OAuth scopes that browser and desktop ask for.',
    ),
  }),
  Runs: live(
    z.object({
      StuckAfter: duration()
        .prefault('PT5M')
        .describe('A run that is active, waits for nothing and has not moved for so long counts as stuck.'),
    }),
  ),
  Approvals: fixed(
    z.object({
      SeparationOfDuties: z
        .boolean()
        .default(true)
        .describe(
          "Whether those who started a run, or had a hand in its data, are kept from deciding its approvals. Set by the deployment: it can't be changed over the API.",
        ),
      RequireDigest: z
        .boolean()
        .default(false)
        .describe(
          'Whether a decision must say what it is about, as expectedDigest. Workflows ask for it with approval.requireDigest.',
        ),
      ExcludeDeployers: z
        .boolean()
        .default(false)
        .describe(
          'Whether those who deployed what a run uses are kept from deciding its approvals, too: the version that it is on, versions that it left, and DMN decisions.',
        ),
    }),
  ),
  Artifacts: z.object({
    Store: fixed(z.string().min(1).default('filesystem')).describe(
      'Where the bytes of artifacts lie: "filesystem", or a store that a plugin brings.',
    ),
    MaxBytes: live(bytes('Largest artifact, in bytes.').default(52_428_800)),
  }),
  Limits: live(
    z.object({
      // A lower limit would prevent changing the settings again.
      BodyBytes: z
        .int()
        .min(1_024)
        .describe('Largest JSON or BPMN body of a request, in bytes; 1024 at least.')
        .default(1_048_576),
      WebhookBytes: bytes('Largest body of a webhook, in bytes.').default(1_048_576),
      CalledRuns: z
        .int()
        .min(1)
        .default(10_000)
        .describe(
          'Runs that may be alive at once of those that come from one run by call activities, at all levels. One more is an incident of the call activity.',
        ),
      RequestTimeout: duration()
        .refine((ms) => ms >= 1_000 && ms <= 600_000, 'Expected a duration from PT1S to PT10M.')
        .prefault('PT15S')
        .describe(
          'How long a request may wait for its answer, from PT1S to PT10M; without the time in which its body arrives. After that it is answered with 503.',
        ),
      // A lower limit would prevent users from working and from changing it back.
      RequestsPerMinute: z
        .int()
        .min(60)
        .default(60_000)
        .describe(
          'Requests that one principal may make in a minute, at all servers on the database together; at least 60.',
        ),
    }),
  ),
  Log: z.object({
    Level: live(z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info')).describe(
      'Least level that is logged.',
    ),
    Format: z
      .enum(['json', 'pretty'])
      .optional()
      .describe('"json" for machines, "pretty" for people. By default "pretty" on a terminal.'),
  }),
  Settings: z.object({
    EncryptionKey: fixed(encryptionKey()).describe(
      'Key that saved secrets are encrypted with: 32 bytes in Base64 (openssl rand -base64 32), the same for all servers of one database. Empty: the file settings.key in Data:Directory, made when the first secret is saved.',
    ),
    PreviousEncryptionKeys: fixed(z.array(encryptionKey()).default([])).describe(
      'Previous keys. What they encrypted is encrypted again at the start; then they can be removed.',
    ),
    RotationGrace: live(duration().prefault('P1D')).describe(
      'How long what was signed with the secret before is still accepted after a rotation. PT0S ends that at once.',
    ),
    Ignore: fixed(
      z
        .union([z.array(z.string()), z.string()])
        .transform((keys) => [keys].flat())
        .prefault([]),
    ).describe(
      'Saved settings that are left alone, by key, or * for all: to get a server started that a setting keeps from it.',
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
