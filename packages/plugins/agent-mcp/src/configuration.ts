import { duration, filePath, fixed, keyedBy, secret } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';
import { OutputSchema } from './output-bounds.js';

const name = z.string().regex(/^[A-Za-z][\w-]{0,29}$/, 'Expected a name of at most 30 letters, digits, "_" and "-".');

const variable = z.string().regex(/^[A-Za-z_]\w*$/, 'Expected the name of an environment variable.');

const isolation = z.enum(['auto', 'namespace', 'user', 'none']);

export type IsolationMode = z.infer<typeof isolation>;

/** Excludes user and group 0, from which programs must be kept away. */
const id = z.int().min(1).max(4_294_967_294);

const AllowedToolSchema = z.strictObject({
  Name: z
    .string()
    .regex(/^\w[\w.-]{0,63}$/, 'Expected the name of a tool: at most 64 letters, digits, "_", "-" and ".".')
    .describe('As the server names it. Agents know it as mcp.SERVER.TOOL.'),
  Effect: z
    .enum(['read', 'write'])
    .default('write')
    .describe('What a call does. Only you can say `read`: what the server says of itself counts for nothing.'),
  Reversible: z.boolean().default(false).describe('Whether what a call did can be undone.'),
  Digest: z
    .string()
    .regex(/^(sha256:[0-9a-f]{64})?$/, 'Expected sha256: and 64 hexadecimal digits.')
    .default('')
    .describe('What the tool must be. Empty: as it is the first time, or as an admin has accepted it since.'),
});

const ServerSchema = z
  .strictObject({
    Name: name.describe('How agents and logs know it.'),
    Command: z
      .string()
      .min(1)
      .optional()
      .describe('Program that speaks MCP on its standard input and output. Give this, or a Url.'),
    Args: z.array(z.string()).default([]).describe('Its arguments.'),
    Env: z
      .record(variable, secret())
      .default({})
      .describe('Secrets of its environment, such as a token. Agents are not shown their values.'),
    PlainEnv: z
      .record(variable, z.string())
      .default({})
      .describe('The rest of its environment, such as NODE_ENV. It has nothing else but PATH of that of this server.'),
    Cwd: filePath().optional().describe('Its working directory, which it may read.'),
    Isolation: isolation
      .optional()
      .describe(
        'How the program is kept from the secrets of this server, where that is another way than Agents:Mcp:Isolation.',
      ),
    ReadPaths: z
      .array(filePath())
      .default([])
      .describe(
        'Files and directories that the program may read in a namespace of its own, besides the programs and libraries of the system (/usr, /lib, parts of /etc), its Command and its Cwd.',
      ),
    WritePaths: z.array(filePath()).default([]).describe('Files and directories that it may read and write there.'),
    Network: z.boolean().default(true).describe('Whether it may use the network there.'),
    Url: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Address of a server that speaks MCP over streamable HTTP.'),
    Token: secret().describe('What is sent along to Url: as a bearer token, or in TokenHeader.'),
    TokenHeader: z
      .string()
      .regex(/^[\w-]*$/, 'Expected the name of a header.')
      .default('')
      .describe('Header of the token where it is no bearer token, such as X-API-Key.'),
    AllowedTools: keyedBy('Name', z.array(AllowedToolSchema).default([])).describe(
      'Tools that agents may have. None by default, whatever the server offers.',
    ),
    Output: OutputSchema.prefault({}).describe('How much the program of Command may write.'),
    Timeout: duration().prefault('PT1M').describe('How long a call may take.'),
    ConnectTimeout: duration()
      .prefault('PT10S')
      .describe('How long it may take to connect and to list the tools. The start of this server waits no longer.'),
  })
  .refine(
    ({ Command, Url }) => (Command === undefined) !== (Url === undefined),
    'Give a Command or a Url, and not both.',
  );

export const McpConfigurationSchema = z.object({
  Agents: z.object({
    // Not changeable at runtime: it determines which programs run on this machine, which only the deployer of the
    // server may decide.
    Mcp: fixed(
      z.object({
        Isolation: isolation
          .default('auto')
          .describe(
            'How programs of MCP servers are kept from the secrets of this server. namespace: by bubblewrap, on Linux. user: as User, where this server runs as root. auto: by namespace, or else by user; where neither can be had, the server does not start (with development tokens and no secret in the configuration, it warns). none: not at all.',
          ),
        User: z
          .strictObject({ Uid: id.describe('Number of the user.'), Gid: id.describe('Number of its group.') })
          .optional()
          .describe(
            'Whom programs of MCP servers run as where this server runs as root. In a namespace, by default, nobody (65534).',
          ),
        Servers: keyedBy('Name', z.array(ServerSchema).default([])).describe(
          'MCP servers whose tools agents may have.',
        ),
      }),
    ),
  }),
});

export type McpServerConfiguration = z.infer<typeof ServerSchema>;
export type AllowedTool = z.infer<typeof AllowedToolSchema>;

export type McpConfiguration = z.infer<typeof McpConfigurationSchema>['Agents']['Mcp'];

export const McpConfiguration: ServiceIdentifier<McpConfiguration> = Symbol.for(
  '@countersign/agent-mcp:McpConfiguration',
);

export type McpServers = readonly McpServerConfiguration[];

export const McpServers: ServiceIdentifier<McpServers> = Symbol.for('@countersign/agent-mcp:McpServers');

/** Returns the name by which agents know a tool. */
export function toolName(server: string, tool: string): string {
  return `${PREFIX}${server}.${tool}`;
}

/** Prefix of the names of all MCP tools. */
export const PREFIX = 'mcp.';
